/**
 * The catalogue: what tables, indexes and schemas there are.
 *
 * <p>{@link org.nelumbo.planner.catalog.Catalog} is the entry. Its state is a {@link
 * org.nelumbo.planner.catalog.CatalogState}: immutable, with a version number; reading it is a
 * volatile read. Changes are made by one schema change at a time, under the change lock: the change
 * is written to the catalogue's own table in the pool ({@code CatalogStore}, {@code
 * DefinitionCodec}), in one transaction, then published as the next version. So a version that
 * somebody sees is in the pool.
 *
 * <p>A {@link org.nelumbo.planner.catalog.TableEntry} is a table as of one version: its definition
 * and the opened store. {@link org.nelumbo.planner.catalog.CatalogSnapshots} shows a version to
 * readers of metadata.
 *
 * <h2>Metadata locks</h2>
 *
 * <p>Each table has a {@link org.nelumbo.planner.catalog.MetadataLock}. Transactions share it, from
 * their first statement on the table to their end; a schema change takes it exclusively. Sharing
 * writes only to the session's own {@link org.nelumbo.planner.catalog.HeldMetadataLocks}: it notes
 * the lock there, then looks whether it is exclusive; a schema change makes it exclusive, then
 * looks into what all sessions hold. One of the two always sees the other.
 */
package org.nelumbo.planner.catalog;
