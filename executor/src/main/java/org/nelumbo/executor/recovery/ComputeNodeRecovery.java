package org.nelumbo.executor.recovery;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import org.nelumbo.dm.alloc.LeftMemory;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * Recovers what a dead compute node has left, while others go on working (Pandora section 3.2). In
 * this order, each step when the one before is done:
 *
 * <ol>
 *   <li>the dead one is fenced at every memory node: by who calls this
 *   <li>{@link #recoverLogs}: what anybody may have seen of its transactions is completed
 *   <li>the locks it held are given back: by who calls this. From then on a cell of it without a
 *       timestamp is no version of its row; who meets it finds that nobody holds the lock
 *   <li>{@link #repairIndexes}: its latches are freed, what it had begun is finished or undone
 *   <li>{@link #forget}: it no longer holds back the horizon, and its entry is free
 * </ol>
 *
 * <p>The fabric does not leave a WRITE of the dead half done: memory nodes execute whole requests.
 * Where copies by the dead one's processor may have ended anywhere an index node may be torn, which
 * this does not notice ({@link org.nelumbo.dm.index.tree.OrderedIndex#isTorn}).
 *
 * <p>Each may be interrupted by the death of who does it, and repeated by another one. What is
 * thrown while it repairs stops its own engine: it may have a latch then. What memory it had beside
 * its logs, and garbage that only it knew of, is not looked for. For one thread.
 */
public final class ComputeNodeRecovery implements AutoCloseable {
  private final ComputeNodeEntry dead;
  private final Coordinator coordinator;
  private final Channel channel;
  private final RecoveryCounts counts;
  private final LogDecision logs;
  private final Engine engine;

  /**
   * A recovery.
   *
   * @param engine of the compute node that does it
   * @param dead fenced: none of its verbs can arrive any more
   */
  public ComputeNodeRecovery(Engine engine, ComputeNodeEntry dead) {
    this.engine = engine;
    this.dead = dead;
    this.coordinator = engine.openCoordinator();
    this.channel = coordinator.channel();
    this.counts = new RecoveryCounts(engine.environment());
    this.logs = new LogRecovery(channel, engine.fabric().log(), counts);
  }

  /** Whether another one that has died had come to the end of {@link #forget}. */
  public boolean isForgotten() {
    return !ComputeNodeTable.isIn(channel, dead);
  }

  /** Completes the transactions that had begun to become visible; how many. */
  public int recoverLogs() {
    logs.runOf(dead.entry());
    return counts.committed;
  }

  /**
   * Frees latches of the dead one in all indexes of some tables, and ends what it had begun.
   *
   * @param areDeadToo true for other compute nodes that are fenced and recovered by the caller
   *     only; called again and again while the repair waits for one that is not
   * @param afterEach done after each index, while nothing is pinned
   */
  public int repairIndexes(List<TableStore> tables, IntPredicate areDeadToo, Runnable afterEach) {
    PoolAllocator allocator = coordinator.allocator();
    int number = dead.number();
    int repaired = 0;
    try {
      for (TableStore table : tables) {
        repaired += pinned(() -> table.hash().repair(channel, allocator, number), afterEach);
        if (table.primary() != null) {
          repaired += pinned(() -> repair(table.primary(), areDeadToo), afterEach);
        }
        for (IndexStore index : table.indexes()) {
          repaired += pinned(() -> repair(index, areDeadToo), afterEach);
        }
      }
    } catch (RuntimeException | Error e) {
      engine.stop(e);
      throw e;
    }
    return repaired;
  }

  private int repair(IndexStore index, IntPredicate areDeadToo) {
    return index.tree().repair(channel, coordinator.allocator(), dead.number(), areDeadToo);
  }

  /** Repairs one index; between two of them the horizon may rise. */
  private int pinned(IntSupplier repair, Runnable after) {
    int repaired;
    engine.epochs().pin(coordinator.slot());
    try {
      repaired = repair.getAsInt();
    } finally {
      engine.epochs().unpin(coordinator.slot());
    }
    after.run();
    return repaired;
  }

  /**
   * Frees the dead one's entry; nothing is left of it that anybody waits for. The blocks of its
   * logs are for whoever wants memory.
   */
  public void forget() {
    long[] blocks = logs.blocksOf(dead.entry());
    ComputeNodeTable.leave(channel, dead);
    LeftMemory.leaveBlocks(engine.environment(), channel, dead, blocks, LogLayout.BLOCK_CLASS);
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
