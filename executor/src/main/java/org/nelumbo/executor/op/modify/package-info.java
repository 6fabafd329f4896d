/**
 * INSERT, UPDATE, DELETE, MERGE, and the constraints they check.
 *
 * <p>A modifying operator pulls rows from its source, writes through the transaction, checks the
 * {@link org.nelumbo.executor.op.modify.RowConstraint}s of the new (or deleted) row, and then
 * stands on it, so that generated keys can be read.
 *
 * <ul>
 *   <li>{@link org.nelumbo.executor.op.modify.Halloween} decides whether the source is spooled
 *       before the first change, so that a statement does not meet its own changes.
 *   <li>{@link org.nelumbo.executor.op.modify.Update} sets rows aside whose key, or unique value,
 *       is taken for the moment: uniqueness counts at the end of the statement.
 *   <li>{@link org.nelumbo.executor.op.modify.ModifySource} takes rows in batches on a remote
 *       fabric, and reads what the checks of a batch will look for in a few round trips.
 *   <li>{@link org.nelumbo.executor.op.modify.Merge} and {@link
 *       org.nelumbo.executor.op.modify.ConflictResolution} make changes of a single row parts of
 *       another.
 *   <li>{@link org.nelumbo.executor.op.modify.BulkInsert} fills a table that nobody else knows yet,
 *       in many small transactions.
 * </ul>
 *
 * <p>A failure leaves the writes of the statement in the transaction; the caller rolls back to the
 * savepoint it set before.
 */
package org.nelumbo.executor.op.modify;
