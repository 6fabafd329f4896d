/**
 * The engine of a compute node on one pool: what is opened first and closed last.
 *
 * <p>{@link org.nelumbo.executor.engine.Engine} is the entry. It opens a {@link
 * org.nelumbo.executor.engine.Coordinator} for each connection or terminal, which runs one {@link
 * org.nelumbo.executor.txn.Transaction} at a time, and makes, opens and drops {@link
 * org.nelumbo.executor.engine.Tables}. {@link org.nelumbo.executor.engine.Sweeper} is its
 * background thread: it moves the horizon and removes what closed and idle coordinators have left.
 *
 * <p><b>Order of calls.</b> A pool is formatted, or recovered ({@code executor.recovery}); {@code
 * start}; coordinators are opened and closed; {@code writeFreeSpaceMap}, if the pool is to be
 * attached quickly next time; {@code close}.
 *
 * <p>The classes here make the parts of a coordinator, and hand them what they need ({@code
 * executor.context}); no class below knows engine or coordinator. What one of them asks of the
 * engine it asks through {@code PoolMemory}.
 *
 * <p>Engine, tables and coordinators' list are thread-safe. A coordinator belongs to one thread at
 * a time. Whatever exception ends a change of the pool on its way marks the pool as unclean:
 * whoever attaches next looks at everything, as after a crash.
 */
package org.nelumbo.executor.engine;
