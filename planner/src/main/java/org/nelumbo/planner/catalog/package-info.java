/**
 * The catalog: the definitions of schemas, tables, indexes, views and sequences.
 *
 * <p>{@link org.nelumbo.planner.catalog.Catalog} is the entry point. Its state is a {@link
 * org.nelumbo.planner.catalog.CatalogState}, which is immutable and has a version number; reading
 * it is a volatile read. One schema change at a time makes changes, under the change lock. It
 * writes each change to the catalog table in the pool ({@code CatalogStore}, {@code
 * DefinitionCodec}) in one transaction, then publishes it as the next version. So every visible
 * version is in the pool.
 *
 * <p>A {@link org.nelumbo.planner.catalog.TableEntry} is a table as of one version: its definition
 * and the opened store. {@link org.nelumbo.planner.catalog.CatalogSnapshots} presents a version to
 * readers of metadata.
 *
 * <h2>Metadata locks</h2>
 *
 * <p>Each table has a {@link org.nelumbo.planner.catalog.MetadataLock}. Transactions share it from
 * their first statement on the table to their end; a schema change takes it exclusively. A session
 * records a shared lock only in its own {@link org.nelumbo.planner.catalog.HeldMetadataLocks}, then
 * checks whether the lock is exclusive. A schema change makes the lock exclusive, then checks the
 * locks of all sessions. At least one of the two sees the other.
 */
package org.nelumbo.planner.catalog;
