/**
 * Garbage collection: what commits leave behind is removed when no snapshot needs it any more.
 *
 * <p>Deleted rows with their index entries, overflow chains and stale entries of secondary indexes
 * wait in a {@link org.nelumbo.executor.gc.GarbageList}, in the order of their timestamps, until
 * the horizon has passed them. A {@link org.nelumbo.executor.gc.RetireQueue} is that of one
 * coordinator, and decides who removes: its own thread, a little after each transaction; or, where
 * that takes round trips, and when the coordinator is idle or closes, the sweeper, through {@link
 * org.nelumbo.executor.gc.OrphanedGarbage}. {@link org.nelumbo.executor.gc.Collector} does the
 * work. Of rows that are written all the time commits cut the chains themselves ({@link
 * org.nelumbo.executor.gc.ChainCut}).
 *
 * <p><b>Order of calls.</b> {@code enter}, the transaction, its commit's additions to the list,
 * {@code collectSome}, {@code leave}. {@link org.nelumbo.executor.gc.CoordinatorLatch} keeps the
 * sweeper out between the first and the last.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>A collector takes the row's write lock, and only if it is free; whoever meets that lock
 *       waits, whatever its conflict policy, since it is held for an instant.
 *   <li>An item is looked up again under the lock: the row may have been written or removed.
 *   <li>Memory is retired after no index leads to it, with a timestamp drawn then (invariant 6).
 *   <li>A table that was dropped is left alone: {@code Collector.awaitAbsence}.
 * </ol>
 */
package org.nelumbo.executor.gc;
