/**
 * The engine of a compute node on one pool: it is opened first and closed last.
 *
 * <p>{@link org.nelumbo.executor.engine.Engine} is the entry point. It opens a {@link
 * org.nelumbo.executor.engine.Coordinator} for each connection or terminal, which runs one {@link
 * org.nelumbo.executor.txn.Transaction} at a time, and it creates, opens and drops {@link
 * org.nelumbo.executor.engine.Tables}. {@link org.nelumbo.executor.engine.Sweeper} is its
 * background thread: it moves the horizon and removes the garbage of closed and idle coordinators.
 *
 * <p><b>Order of calls.</b>
 *
 * <ol>
 *   <li>A pool is formatted, or recovered ({@code executor.recovery}).
 *   <li>{@code start}.
 *   <li>Coordinators are opened and closed.
 *   <li>{@code writeFreeSpaceMap}, if the next attach of the pool should be fast.
 *   <li>{@code close}.
 * </ol>
 *
 * <p>The classes here create the parts of a coordinator, and pass them their dependencies ({@code
 * executor.context}). No class below depends on engine or coordinator; requests to the engine go
 * through {@code PoolMemory}.
 *
 * <p>Engine, tables and the list of coordinators are thread-safe. A coordinator belongs to one
 * thread at a time. Any exception that ends a change of the pool half way marks the pool as
 * unclean: the next attach scans all of it, as after a crash.
 */
package org.nelumbo.executor.engine;
