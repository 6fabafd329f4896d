/**
 * Schema changes: CREATE, ALTER, DROP and TRUNCATE.
 *
 * <p>{@link org.nelumbo.database.ddl.SchemaChanges#run} is the entry; the session that asks has
 * committed, and holds no metadata lock. One change runs at a time, under the catalogue's change
 * lock.
 *
 * <h2>Order of a change to a table</h2>
 *
 * <ol>
 *   <li>The statement is checked against the present catalogue and turned into definitions ({@code
 *       TableBuilder}, {@code ColumnChanges}, {@code ConstraintChanges}, {@code IndexChanges}).
 *   <li>The table's metadata lock is taken exclusively ({@code ExclusiveMetadataLocks}): this waits
 *       for the transactions that touched the table, for at most the lock timeout.
 *   <li>Stores are made and filled ({@code StoreBuilder}, {@code TableRebuild}); what fails until
 *       here leaves the table as it was.
 *   <li>The catalogue writes the new definition to the pool and publishes the next version, by
 *       which all plans that know the table are out of date.
 *   <li>The lock is given back. Memory of what was dropped is freed afterwards, outside of the
 *       change lock.
 * </ol>
 *
 * <p>{@code StoreBuilder} keeps a reserve of memory, so that DROP INDEX and TRUNCATE work in a full
 * pool.
 */
package org.nelumbo.database.ddl;
