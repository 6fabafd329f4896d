/**
 * Schema changes: CREATE, ALTER, DROP and TRUNCATE.
 *
 * <p>{@link org.nelumbo.database.ddl.SchemaChanges#run} is the entry point. The calling session has
 * committed, and holds no metadata lock. One change runs at a time, under the catalog's change
 * lock.
 *
 * <h2>Order of a change to a table</h2>
 *
 * <ol>
 *   <li>Check the statement against the present catalog and convert it to definitions ({@code
 *       TableBuilder}, {@code ColumnChanges}, {@code ConstraintChanges}, {@code IndexChanges}).
 *   <li>Take the table's metadata lock exclusively ({@code ExclusiveMetadataLocks}). This waits for
 *       the transactions that touched the table, for at most the lock timeout.
 *   <li>Create and fill stores ({@code StoreBuilder}, {@code TableRebuild}). A failure up to this
 *       step leaves the table unchanged.
 *   <li>Write the new definition to the pool and publish the next version of the catalog, which
 *       invalidates all plans of the table.
 *   <li>Release the lock. The memory of dropped objects is freed afterwards, outside of the change
 *       lock.
 * </ol>
 *
 * <p>{@code StoreBuilder} keeps a reserve of memory, so that DROP INDEX and TRUNCATE work in a full
 * pool.
 */
package org.nelumbo.database.ddl;
