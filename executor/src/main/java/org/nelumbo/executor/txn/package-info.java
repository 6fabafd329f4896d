/**
 * Transactions on consecutive version tables: the lock-first protocol of LOTUS (section 5; {@code
 * docs/references.md}) with the stricter rules of {@code docs/architecture.md}, behind the native
 * API of LOTUS section 7.3.
 *
 * <p>{@link org.nelumbo.executor.txn.Transaction} is the entry: begin, operations, commit or abort.
 * Its operations are those on one row ({@code RowOperations}), gets of many keys ({@link
 * org.nelumbo.executor.txn.PointBatch}), inserts of many rows ({@link
 * org.nelumbo.executor.txn.InsertBatch}), and scans ({@link org.nelumbo.executor.txn.RangeScan},
 * {@link org.nelumbo.executor.txn.TableScan}). {@code TransactionLifecycle} is how one begins and
 * ends.
 *
 * <p><b>A row that is changed</b> goes this way: its lock is acquired; it is looked for among the
 * transaction's own writes, then in the pool, under the lock; the indexes are brought in step; its
 * new image goes into the write set. Nothing is written over before the commit.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>Two-phase locking: every lock is kept until the transaction has ended, and then released
 *       once (invariants 4 and 11).
 *   <li>A serializable transaction that may write reads under locks, and locks what it did not find
 *       (invariant 3); a snapshot reads without, and may write only what has not changed since.
 *   <li>After CONFLICT, TOO_OLD or CANCELLED only {@code abort} is left.
 *   <li>Scans and batches belong to the transaction in which they were opened; in the next one they
 *       have ended ({@code ReadView.generation}).
 * </ol>
 *
 * <p>The classes share what {@code TransactionContext} holds; none of them knows the {@code
 * Transaction}. One thread at a time, but for what says that any thread may ask.
 */
package org.nelumbo.executor.txn;
