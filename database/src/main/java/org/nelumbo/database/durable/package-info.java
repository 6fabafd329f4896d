/**
 * Databases in files, and backups: loading a database into memory from its files, writing
 * checkpoints and backups while it is open, and restoring a backup.
 *
 * <p>{@link org.nelumbo.database.durable.ColdStart} reads the catalog first. {@link
 * org.nelumbo.database.durable.StoreLoader} then creates the stores and fills them by threads, each
 * with a subset of the keys; indexes are built from the rows. {@link
 * org.nelumbo.database.durable.Checkpoints} copies all rows into a new file in the background, in
 * batches, and then removes the older log. {@link org.nelumbo.database.durable.OnlineBackup} copies
 * the contents of one snapshot; {@link org.nelumbo.database.durable.Restore} loads them into a
 * database without tables.
 *
 * <p>{@code docs/internals/durability.md} describes the contents of the files, and why they
 * suffice.
 */
package org.nelumbo.database.durable;
