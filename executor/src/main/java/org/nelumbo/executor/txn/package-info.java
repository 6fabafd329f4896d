/**
 * Transactions on consecutive version tables: the lock-first protocol of LOTUS (section 5; {@code
 * docs/references.md}) with the stricter rules of {@code docs/architecture.md}, behind the native
 * API of LOTUS section 7.3.
 *
 * <p>{@link org.nelumbo.executor.txn.Transaction} is the entry point: begin, operations, commit or
 * abort. It offers operations on one row ({@code RowOperations}), gets of many keys ({@link
 * org.nelumbo.executor.txn.PointBatch}), inserts of many rows ({@link
 * org.nelumbo.executor.txn.InsertBatch}), and scans ({@link org.nelumbo.executor.txn.RangeScan},
 * {@link org.nelumbo.executor.txn.TableScan}). {@code TransactionLifecycle} begins and ends
 * transactions.
 *
 * <p><b>A change of a row</b> takes these steps:
 *
 * <ol>
 *   <li>Acquire the row's lock.
 *   <li>Look for the row among the transaction's own writes, then in the pool, under the lock.
 *   <li>Update the indexes.
 *   <li>Add the new image to the write set. Nothing is overwritten before the commit.
 * </ol>
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>Two-phase locking: every lock is kept until the transaction has ended, and is then released
 *       once (invariants 4 and 11).
 *   <li>A serializable transaction that may write reads under locks, and also locks keys that it
 *       did not find (invariant 3). A snapshot transaction reads without locks, and may only write
 *       rows that have not changed since its snapshot.
 *   <li>After CONFLICT, TOO_OLD or CANCELLED the transaction can only be aborted.
 *   <li>Scans and batches belong to the transaction in which they were opened; they have ended in
 *       the next one ({@code ReadView.generation}).
 * </ol>
 *
 * <p>The classes share the contents of {@code TransactionContext}; none of them depends on {@code
 * Transaction}. They are used by one thread at a time, except for methods that allow any thread.
 */
package org.nelumbo.executor.txn;
