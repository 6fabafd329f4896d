/**
 * Locks of this compute node: who may read, write or add to what.
 *
 * <p>{@link org.nelumbo.executor.lock.LockTable} is the shared table (LOTUS section 4.1): lock
 * words by the fingerprint of a key, with what does not fit in a map beside it. {@link
 * org.nelumbo.executor.lock.KeyLocks} are the locks of one transaction, as transactions and indexes
 * use them; {@link org.nelumbo.executor.lock.LockAcquirer} takes them as LOTUS does. {@link
 * org.nelumbo.executor.lock.LockSet} is what the transaction holds; {@link
 * org.nelumbo.executor.lock.ScanLocks} are the locks of tables that have no leaves to lock.
 *
 * <pre>
 *   LockAcquirer -> LockBatch ----------------------------v
 *                -> LeafLocks -> LockDispatcher -> LockWaiter -> LockTable
 *                                                            -> RemoteLocks, of other owners
 * </pre>
 *
 * <p><b>Rules.</b> Only what was acquired is released, each lock once (invariants 4 and 11).
 * Whoever waits is older than all who hold, or waits for a collector, or waits behind an older
 * waiter, for an instant only or without any lock: a cycle of waiting cannot last (invariant 7).
 * Who has waited long is announced, and gets the lock before younger ones. A lock key is a LOTUS
 * key, the hash of a unique value, or the address of a leaf; two keys with one fingerprint are one
 * lock.
 *
 * <p>The table is thread-safe; an acquirer belongs to one thread at a time.
 */
package org.nelumbo.executor.lock;
