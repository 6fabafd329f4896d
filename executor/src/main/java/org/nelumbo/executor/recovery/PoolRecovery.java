package org.nelumbo.executor.recovery;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.MarkBitmap;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * Recovers a pool for the compute node that attaches to it, which has it alone. In this order: make
 * one, which decides the transactions in progress from their logs; {@link #recover} the catalogue's
 * own table, then all tables that it names, each before it is used; {@link #finish}. Nothing but
 * reading is done to the tables meanwhile, and what was allocated before may be given back only
 * afterwards.
 *
 * <p>All of it may be interrupted, and begun anew by the next one. Memory that is not reached from
 * a table is free in the end, whoever had it: chunks of dead coordinators, logs, tables that were
 * being made or dropped.
 *
 * <p>Cost: reads all CVTs and indexes, and the records of tables with secondary indexes; one bit
 * for 16 bytes of the pool, and 16 bytes an entry of secondary indexes, one table at a time. For
 * one thread.
 */
public final class PoolRecovery {
  private final Engine engine;
  private final Coordinator coordinator;
  private final Channel channel;
  private final PoolAllocator allocator;
  private final RecoveryCounts counts = new RecoveryCounts();
  private final MarkBitmap live;
  private final LogRecovery logs;
  private final List<IndexStore> torn = new ArrayList<>();
  private final FreeSpaceMap freeSpaceMap;
  private final long started;

  /** Decides the transactions that were in progress. */
  public PoolRecovery(Engine engine) {
    this(engine, null);
  }

  /**
   * Begins the recovery of a pool that may have been left in order. If it was, what was written
   * down about its memory holds from here on, tables only learn how large they are, and nothing
   * else is done.
   *
   * @param freeSpaceMap null if it was not
   */
  public PoolRecovery(Engine engine, FreeSpaceMap freeSpaceMap) {
    this.freeSpaceMap = freeSpaceMap;
    this.engine = engine;
    this.started = engine.environment().nanoTime();
    this.coordinator = engine.openCoordinator();
    this.channel = coordinator.channel();
    this.allocator = new RepairAllocator(coordinator.allocator());
    this.live = freeSpaceMap == null ? new MarkBitmap(engine.fabric(), channel) : null;
    this.logs = new LogRecovery(channel, counts);
    if (freeSpaceMap == null) {
      logs.run();
    } else {
      engine.restore(freeSpaceMap, freeSpaceMap.timestamp());
    }
  }

  /**
   * Puts a table in order and notes its memory; to be called once for each.
   *
   * @throws IllegalStateException if the pool is broken; the message says what and where
   */
  public void recover(TableStore table) {
    if (freeSpaceMap == null) {
      torn.addAll(new TableRecovery(channel, allocator, live, table, counts).run());
    } else {
      counts.tables++;
      table.hash().load(channel);
    }
  }

  /**
   * Recovers the catalogue's own table, which is going to be read at once.
   *
   * @throws org.nelumbo.executor.error.NelumboException 53200 if one of its indexes has to be built
   *     anew and the pool is full
   */
  public void recoverCatalogue(TableStore table) {
    if (freeSpaceMap != null) {
      recover(table);
      return;
    }
    for (IndexStore index : new TableRecovery(channel, allocator, live, table, counts).run()) {
      rebuild(index, allocator);
    }
  }

  private void rebuild(IndexStore index, PoolAllocator from) {
    new IndexRebuild(channel, from, index).run();
    counts.rebuiltIndexes++;
  }

  /**
   * Forgets the logs; all memory that no table was found to use is free from now on. Builds those
   * indexes anew that were left half-written.
   */
  public RecoveryReport finish() {
    if (freeSpaceMap == null) {
      logs.clear();
      engine.restore(live, counts.newestVersion);
      torn.forEach(index -> rebuild(index, coordinator.allocator()));
    }
    engine.fillLogReserve(coordinator.allocator());
    coordinator.close();
    return new RecoveryReport(
        counts.tables,
        counts.rows,
        counts.committed,
        counts.undoneCells,
        counts.removedEntries,
        counts.repairedNodes,
        counts.rebuiltIndexes,
        freeSpaceMap == null ? live.liveBytes() : freeSpaceMap.liveBytes(),
        freeSpaceMap != null,
        engine.environment().nanoTime() - started);
  }
}
