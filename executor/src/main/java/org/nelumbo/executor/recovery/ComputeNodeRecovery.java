package org.nelumbo.executor.recovery;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import org.nelumbo.dm.alloc.DonatedMemory;
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
 * Recovers what a failed compute node has left, while other compute nodes continue to work (Pandora
 * section 3.2). Each step follows the completion of the previous one:
 *
 * <ol>
 *   <li>The caller fences the failed compute node at every memory node.
 *   <li>{@link #recoverLogs} completes its transactions of which any effect may have been seen.
 *   <li>The caller has its locks released. From then on one of its cells without a timestamp is no
 *       version of the row: a transaction that reads the cell finds that the lock is free.
 *   <li>{@link #repairIndexes} frees its latches, and completes or undoes its index changes.
 *   <li>{@link #forget} frees its entry, so that it no longer holds back the horizon.
 * </ol>
 *
 * <p>The fabric leaves no WRITE of the failed compute node incomplete, since memory nodes execute
 * whole requests. Where its own processor copied the data, an index node may be torn, which this
 * class does not detect ({@link org.nelumbo.dm.index.tree.OrderedIndex#isTorn}).
 *
 * <p>If the recovering compute node fails, another one can repeat any step. An exception during the
 * repair stops its own engine, which may then hold a latch. Other memory of the failed compute node
 * than its logs, and garbage that only it has recorded, is not recovered. Confined to one thread.
 */
public final class ComputeNodeRecovery implements AutoCloseable {
  private final ComputeNodeEntry dead;
  private final Coordinator coordinator;
  private final Channel channel;
  private final RecoveryCounts counts;
  private final LogDecision logs;
  private final Engine engine;

  /**
   * Creates a recovery.
   *
   * @param engine engine of the recovering compute node
   * @param dead entry of the failed compute node, which is fenced: none of its verbs can arrive any
   *     more
   */
  public ComputeNodeRecovery(Engine engine, ComputeNodeEntry dead) {
    this.engine = engine;
    this.dead = dead;
    this.coordinator = engine.openCoordinator();
    this.channel = coordinator.channel();
    this.counts = new RecoveryCounts(engine.environment());
    this.logs = new LogRecovery(channel, engine.fabric().log(), counts);
  }

  /**
   * Returns true if an earlier recovery, whose compute node has failed, had already completed
   * {@link #forget}.
   */
  public boolean isForgotten() {
    return !ComputeNodeTable.isIn(channel, dead);
  }

  /** Completes the transactions that had begun to become visible; returns their number. */
  public int recoverLogs() {
    logs.runOf(dead.entry());
    return counts.committed;
  }

  /**
   * Frees latches of the failed compute node in all indexes of some tables, and completes or undoes
   * its changes there.
   *
   * @param areDeadToo returns true for other compute nodes that are fenced and recovered by the
   *     caller only; called repeatedly while the repair waits for a latch of another compute node
   * @param afterEach runs after each index, while nothing is pinned
   */
  public int repairIndexes(List<TableStore> tables, IntPredicate areDeadToo, Runnable afterEach) {
    PoolAllocator allocator = coordinator.allocator();
    int number = dead.number();
    int repaired = 0;
    try {
      for (TableStore table : tables) {
        if (table.hash() != null) {
          repaired += pinned(() -> table.hash().repair(channel, allocator, number), afterEach);
        }
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

  /** The horizon may rise between two repairs. */
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
   * Frees the entry of the failed compute node, for which no other one waits any more. Donates the
   * blocks of its logs to the other allocators.
   */
  public void forget() {
    long[] blocks = logs.blocksOf(dead.entry());
    ComputeNodeTable.leave(channel, dead);
    DonatedMemory.donateBlocks(engine.environment(), channel, dead, blocks, LogLayout.BLOCK_CLASS);
  }

  @Override
  public void close() {
    coordinator.close();
  }
}
