/**
 * Databases in files, and backups: how a database is made anew in memory from its files, how
 * checkpoints and backups are written while it is open, and how a backup is restored.
 *
 * <p>{@link org.nelumbo.database.durable.ColdStart} reads the catalogue first, and has {@link
 * org.nelumbo.database.durable.StoreLoader} make the stores and fill them by threads, each with the
 * rows of some keys; indexes are built from the rows. {@link
 * org.nelumbo.database.durable.Checkpoints} copies all rows into a new file in the background, a
 * few at a time, and gives up the log before that. {@link
 * org.nelumbo.database.durable.OnlineBackup} copies what one snapshot sees; {@link
 * org.nelumbo.database.durable.Restore} loads that into a database without tables.
 *
 * <p>What is in the files, and why that is enough, is on {@code docs/internals/durability.md}.
 */
package org.nelumbo.database.durable;
