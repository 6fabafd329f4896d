/**
 * Locks of this compute node, which control reads and writes of rows, and additions to leaves.
 *
 * <ul>
 *   <li>{@link org.nelumbo.executor.lock.LockTable} is the shared table (LOTUS section 4.1): lock
 *       words by the fingerprint of a key, with an overflow map.
 *   <li>{@link org.nelumbo.executor.lock.KeyLocks} are the locks of one transaction, as
 *       transactions and indexes use them; {@link org.nelumbo.executor.lock.LockAcquirer}
 *       implements LOTUS's protocol.
 *   <li>{@link org.nelumbo.executor.lock.LockSet} contains the locks that the transaction holds.
 *   <li>{@link org.nelumbo.executor.lock.ScanLocks} are the locks of tables that have no leaves.
 * </ul>
 *
 * <pre>
 *   LockAcquirer -> LockBatch ----------------------------v
 *                -> LeafLocks -> LockDispatcher -> LockWaiter -> LockTable
 *                                                            -> RemoteLocks, of other owners
 * </pre>
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>Only acquired locks are released, each lock once (invariants 4 and 11).
 *   <li>A waiting transaction is older than all holders, or waits for a collector, or waits behind
 *       an older waiter, either briefly or without holding any lock. So no cycle of waits lasts
 *       (invariant 7).
 *   <li>A transaction that has waited long is announced, and gets the lock before younger ones.
 *   <li>A lock key is a LOTUS key, the hash of a unique value, or the address of a leaf; two keys
 *       with one fingerprint are one lock.
 * </ol>
 *
 * <p>The table is thread-safe; an acquirer belongs to one thread at a time.
 */
package org.nelumbo.executor.lock;
