/**
 * Garbage collection: data that commits leave behind is removed when no snapshot needs it.
 *
 * <p>Deleted rows with their index entries, overflow chains and stale entries of secondary indexes
 * wait in a {@link org.nelumbo.executor.gc.GarbageList}, in the order of their timestamps, until
 * the horizon has passed them. Each coordinator has a {@link org.nelumbo.executor.gc.RetireQueue},
 * which decides who removes them: its own thread, a few after each transaction; or the sweeper,
 * through {@link org.nelumbo.executor.gc.OrphanedGarbage}, where removal takes round trips and when
 * the coordinator is idle or closes. {@link org.nelumbo.executor.gc.Collector} does the work. For
 * rows that are written all the time, commits cut the chains themselves ({@link
 * org.nelumbo.executor.gc.ChainCut}).
 *
 * <p><b>Order of calls.</b> {@code enter}, the transaction, its commit's additions to the list,
 * {@code collectSome}, {@code leave}. {@link org.nelumbo.executor.gc.CoordinatorLatch} keeps the
 * sweeper out between the first and the last call.
 *
 * <p><b>Rules.</b>
 *
 * <ol>
 *   <li>A collector acquires the row's write lock, and only if it is free. Transactions that need
 *       that lock wait, whatever their conflict policy, since it is held only for an instant.
 *   <li>An item is checked again under the lock: the row may have been written or removed.
 *   <li>Memory is retired after no index leads to it, with a timestamp drawn then (invariant 6).
 *   <li>A dropped table is not touched: {@code Collector.awaitAbsence}.
 * </ol>
 */
package org.nelumbo.executor.gc;
