/**
 * INSERT, UPDATE, DELETE, MERGE, and the constraints that they check.
 *
 * <p>A modifying operator reads rows from its source, writes through the transaction, checks the
 * {@link org.nelumbo.executor.op.modify.RowConstraint}s of the new (or deleted) row, and then shows
 * it, so that generated keys can be read.
 *
 * <ul>
 *   <li>{@link org.nelumbo.executor.op.modify.Halloween} decides whether the source is spooled
 *       before the first change, so that a statement does not see its own changes.
 *   <li>{@link org.nelumbo.executor.op.modify.Update} defers rows whose key or unique value is
 *       currently taken: uniqueness is checked at the end of the statement.
 *   <li>{@link org.nelumbo.executor.op.modify.ModifySource} takes rows in batches on a remote
 *       fabric, and reads the data for the checks of a batch in a few round trips.
 *   <li>{@link org.nelumbo.executor.op.modify.Merge} and {@link
 *       org.nelumbo.executor.op.modify.ConflictResolution} combine changes of single rows.
 *   <li>{@link org.nelumbo.executor.op.modify.BulkInsert} fills a new table, which other sessions
 *       cannot see yet, in many small transactions.
 * </ul>
 *
 * <p>A failure leaves the writes of the statement in the transaction; the caller rolls back to the
 * savepoint that it set before.
 */
package org.nelumbo.executor.op.modify;
