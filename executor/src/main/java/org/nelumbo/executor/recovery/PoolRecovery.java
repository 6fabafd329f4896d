package org.nelumbo.executor.recovery;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.dm.alloc.FreeSpaceMap;
import org.nelumbo.dm.alloc.MarkBitmap;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.LongList;
import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.DamagedPageException;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.DamagedPages;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * Recovers a pool for the compute node that attaches to it exclusively. The steps are:
 *
 * <ol>
 *   <li>The constructor decides the transactions in progress from their logs.
 *   <li>{@link #recoverCatalogue} recovers the catalogue's own table, then {@link #tryRecover} each
 *       table that it names, before the table is used.
 *   <li>{@link #finish} frees the memory that is not in use.
 * </ol>
 *
 * <p>Meanwhile the tables are only read, and memory that was allocated before may only be freed
 * afterwards.
 *
 * <p>An interrupted recovery is started again by the next attach. In the end, memory that is not
 * reachable from a table is free, whoever had allocated it: chunks of failed coordinators, logs,
 * tables that were being created or dropped.
 *
 * <p>Cost: it reads all CVTs and indexes, and the records of tables with secondary indexes. It
 * needs one bit for 16 bytes of the pool, and 16 bytes per entry of secondary indexes, one table at
 * a time. Confined to one thread.
 */
public final class PoolRecovery implements TablePreparation {
  private static final int STAGING_BYTES = 1 << 20;

  private final Engine engine;
  private final Coordinator coordinator;
  private final Channel channel;
  private final PoolAllocator allocator;
  private final RecoveryCounts counts;
  private final MarkBitmap live;
  private final LogDecision logs;
  private final List<IndexStore> torn = new ArrayList<>();

  /** The CVTs of all rows of tables whose only index has to be rebuilt. */
  private final IdentityHashMap<TableStore, LongList> found = new IdentityHashMap<>();

  private final List<TableStore> recovered = new ArrayList<>();
  private final IdentityHashMap<TableStore, String> damage = new IdentityHashMap<>();

  /** Blocks that are in use twice. */
  private final MarkBitmap shared;

  /** True if there may be memory of damaged tables that was not found. */
  private boolean isIncomplete;

  private final FreeSpaceMap freeSpaceMap;

  private final DamagedPages lost;

  /** True if reads have to wait for memory. */
  private final boolean isArriving;

  private final long started;

  /** Creates a recovery, and decides the transactions that were in progress. */
  public PoolRecovery(Engine engine) {
    this(engine, null);
  }

  /**
   * Creates the recovery of a pool that may have been closed in order. If it was, its free-space
   * map is used, tables only determine their sizes, and nothing else is done.
   *
   * @param freeSpaceMap free-space map of the orderly close, or null if there was none
   */
  public PoolRecovery(Engine engine, FreeSpaceMap freeSpaceMap) {
    this(engine, freeSpaceMap, null, false, false);
  }

  /**
   * Creates the recovery of a pool that was closed in order and whose memory is still being loaded.
   */
  public static PoolRecovery ofArriving(Engine engine, FreeSpaceMap freeSpaceMap) {
    return new PoolRecovery(engine, freeSpaceMap, null, true, false);
  }

  /**
   * Creates the recovery of a pool of which some pages were lost. Tables with data in these pages
   * are damaged.
   *
   * @param wasLeft true if the last owner closed the pool in order; then no transaction was in
   *     progress, and the logs are not read
   */
  public static PoolRecovery ofDamaged(Engine engine, DamagedPages lost, boolean wasLeft) {
    return new PoolRecovery(engine, null, lost, false, wasLeft);
  }

  private PoolRecovery(
      Engine engine,
      FreeSpaceMap freeSpaceMap,
      DamagedPages lost,
      boolean isArriving,
      boolean wasLeft) {
    this.lost = lost;
    this.isArriving = isArriving;
    this.freeSpaceMap = freeSpaceMap;
    this.engine = engine;
    this.started = engine.environment().nanoTime();
    this.counts = new RecoveryCounts(engine.environment());
    this.coordinator = engine.openCoordinator();
    this.channel =
        lost == null
            ? coordinator.channel()
            : lost.checking(engine.fabric().openChannel(STAGING_BYTES));
    this.allocator = new RepairAllocator(coordinator.allocator());
    this.live = freeSpaceMap == null ? new MarkBitmap(engine.fabric(), channel) : null;
    this.shared = freeSpaceMap == null ? new MarkBitmap(engine.fabric(), channel) : null;
    this.logs = new LogRecovery(channel, engine.fabric().log(), counts);
    if (freeSpaceMap != null) {
      engine.restore(freeSpaceMap, freeSpaceMap.timestamp());
    } else if (!wasLeft) {
      logs.run();
    }
  }

  /**
   * Recovers a table and marks its memory. Called once for each table.
   *
   * @throws IllegalStateException if the pool is damaged; the message says what and where
   */
  public void recover(TableStore table) {
    tryRecover(table);
    if (damage.containsKey(table)) {
      throw new IllegalStateException(
          "the pool is broken: " + damage.get(table) + " table=" + table.schema().name());
    }
  }

  /**
   * Recovers a table as {@link #recover} does, but continues if it is damaged: see {@link #damage}.
   */
  @Override
  public void tryRecover(TableStore table) {
    int mark = channel.mark();
    try {
      if (freeSpaceMap == null) {
        scan(table);
      } else {
        counts.tables++;
        if (table.hash() != null) {
          loadDirectory(table.hash());
        }
      }
    } catch (FabricException | NelumboException e) {
      throw e;
    } catch (RuntimeException e) {
      channel.flush(); // flush the verbs that were posted before
      channel.release(mark);
      isIncomplete = true;
      setDamaged(
          table,
          e instanceof DamagedPageException
              ? e.getMessage()
              : "its structures have invalid addresses (" + e + ")");
    }
  }

  private void loadDirectory(HashIndex hash) {
    if (isArriving) {
      hash.begin(channel);
    } else {
      hash.load(channel);
    }
  }

  private void scan(TableStore table) {
    TableRecovery recovery =
        new TableRecovery(channel, allocator, live, shared, lost, table, counts);
    List<IndexStore> toBuild = recovery.run();
    if (recovery.sharedBlock() == PoolAddress.NULL) {
      recovered.add(table);
      torn.addAll(toBuild);
      if (recovery.found() != null) {
        found.put(table, recovery.found());
      }
    } else {
      setDamaged(
          table, "a block is in use twice address=" + PoolAddress.toString(recovery.sharedBlock()));
    }
  }

  private void setDamaged(TableStore table, String why) {
    damage.putIfAbsent(table, why);
  }

  /**
   * Returns the damaged tables with reasons. They must not be read, and their memory is not reused.
   * Called after all tables are recovered, since it searches for tables that share blocks with
   * damaged ones.
   */
  @Override
  public Map<TableStore, String> damage() {
    if (live != null && !damage.isEmpty()) {
      recovered.forEach(this::lookForShared);
      recovered.clear();
    }
    return Collections.unmodifiableMap(damage);
  }

  private void lookForShared(TableStore table) {
    MarkBitmap own = new MarkBitmap(engine.fabric(), channel);
    TableRecovery again =
        new TableRecovery(
            channel, allocator, own, shared, lost, table, new RecoveryCounts(engine.environment()));
    again.lookForShared();
    if (again.sharedBlock() != PoolAddress.NULL) {
      setDamaged(
          table,
          "a damaged table also uses one of its blocks address="
              + PoolAddress.toString(again.sharedBlock()));
      torn.removeIf(index -> index.table() == table);
    }
  }

  /**
   * Recovers the catalogue's own table, which is read immediately afterwards.
   *
   * @throws org.nelumbo.error.NelumboException 53200 if one of its indexes has to be rebuilt and
   *     the pool is full
   */
  @Override
  public void recoverCatalogue(TableStore table) {
    if (freeSpaceMap != null) {
      recover(table);
      return;
    }
    TableRecovery recovery =
        new TableRecovery(channel, allocator, live, shared, lost, table, counts);
    for (IndexStore index : recovery.run()) {
      rebuild(index, allocator);
    }
    if (recovery.sharedBlock() != PoolAddress.NULL) {
      throw new IllegalStateException(
          "the pool is broken: its catalog uses a block twice address="
              + PoolAddress.toString(recovery.sharedBlock()));
    }
  }

  private void rebuild(IndexStore index, PoolAllocator from) {
    LongList rows = index.isPrimary() ? found.get(index.table()) : null;
    new IndexRebuild(channel, from, index, rows).run();
    counts.rebuiltIndexes++;
  }

  /**
   * Erases the logs and frees all memory that no table uses. Rebuilds the indexes that were left
   * incomplete.
   */
  public RecoveryReport finish() {
    damage();
    if (!damage.isEmpty()) {
      engine.markUnclean(); // the next attach has to find the damage, too
    }
    if (freeSpaceMap == null) {
      logs.clear();
      if (isIncomplete) {
        live.coverAll();
      }
      engine.restore(live, counts.newestVersion);
      torn.forEach(index -> rebuild(index, coordinator.allocator()));
    }
    if (lost != null) {
      if (damage.isEmpty()) {
        lost.forget(engine.fabric());
      }
      channel.close();
    }
    if (engine.fabric().log() != null) {
      engine.fabric().log().forgetCommitted(); // transaction numbers start again
    }
    engine.fillSpareLogs(coordinator.allocator());
    coordinator.close();
    return new RecoveryReport(
        counts.tables,
        counts.rows,
        counts.committed,
        counts.undoneCells,
        counts.removedEntries,
        counts.repairedNodes,
        counts.rebuiltIndexes,
        damage.size(),
        freeSpaceMap == null ? live.liveBytes() : freeSpaceMap.liveBytes(),
        freeSpaceMap != null,
        engine.environment().nanoTime() - started);
  }
}
