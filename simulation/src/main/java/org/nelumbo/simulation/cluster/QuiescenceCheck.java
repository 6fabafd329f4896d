package org.nelumbo.simulation.cluster;

import java.util.List;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.HeldLocks;
import org.nelumbo.executor.engine.PoolInspector;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * Checks of the quiescent state, after every client has ended its transaction and closed its
 * session: no locks, no cells without timestamp, consistent indexes, and no memory in use once the
 * table is dropped. Called by a simulated thread.
 */
public final class QuiescenceCheck {
  /** A few rounds of the sweeper, which collects the garbage of closed coordinators. */
  private static final long SETTLE_NANOS = 100_000_000;

  /** Maximum number of waits; after a long run the sweeper has more work. */
  private static final int SETTLE_ROUNDS = 50;

  private static final int LOCK_POLLS = 5000;
  private static final long POLL_NANOS = 97_000;

  /** Rows of the catalogue that are collected later. */
  private static final long CATALOGUE_SLACK_BYTES = 32 << 10;

  private QuiescenceCheck() {}

  /**
   * Runs all checks, and drops the table in between.
   *
   * @throws Violation with a description of the failed check
   */
  public static void check(Cluster cluster) {
    Engine engine = cluster.engine();
    settle(cluster);
    checkLocks(cluster);
    if ((cluster.table().hash() != null) != cluster.options().hashed()) {
      throw new Violation("the table has lost its option hash=" + cluster.options().hashed());
    }
    checkTable(engine, cluster.table());
    cluster.dropTable();
    settle(cluster);
    checkMemory(cluster);
  }

  private static void settle(Cluster cluster) {
    long before;
    long left = cluster.engine().poolUsage().liveBytes();
    int round = 0;
    do {
      before = left;
      cluster.world().sleepUntil(cluster.world().now() + SETTLE_NANOS);
      left = cluster.engine().poolUsage().liveBytes();
    } while (left < before && ++round < SETTLE_ROUNDS);
  }

  /**
   * Checks that no lock is held for long, since no client has a transaction. The sweeper also takes
   * locks for short times.
   */
  public static void checkLocks(Cluster cluster) {
    for (Cluster each : cluster.together()) {
      for (HeldLocks held : HeldLocks.of(each.engine())) {
        if (!held.locks().isEmpty()) {
          throw new Violation("a coordinator without a transaction holds locks " + held.locks());
        }
      }
    }
    for (Cluster each : cluster.together()) {
      checkLockTable(each);
    }
  }

  private static void checkLockTable(Cluster cluster) {
    int held = cluster.engine().lockTable().heldCount();
    for (int poll = 0; held > 0 && poll < LOCK_POLLS; poll++) {
      cluster.world().sleepUntil(cluster.world().now() + POLL_NANOS);
      held = cluster.engine().lockTable().heldCount();
    }
    if (held > 0) {
      throw new Violation("the lock table has locks without a holder count=" + held);
    }
    cluster.engine().lockTable().verify();
  }

  static void checkTable(Engine engine, TableStore table) {
    try (PoolInspector inspector = new PoolInspector(engine)) {
      List<PoolInspector.InvisibleCell> cells = inspector.invisibleCells(table);
      if (!cells.isEmpty()) {
        throw new Violation("there are cells without a timestamp " + cells);
      }
    }
    try (Coordinator coordinator = engine.openCoordinator()) {
      long rows = table.verify(coordinator.channel());
      if (table.primary() != null) {
        long entries = table.primary().tree().verify(coordinator.channel());
        if (entries != rows) {
          throw new Violation("hash and ordered index differ hash=" + rows + " ordered=" + entries);
        }
      }
      for (IndexStore index : table.indexes()) {
        index.tree().verify(coordinator.channel());
      }
    }
  }

  private static void checkMemory(Cluster cluster) {
    PoolUsage account = new PoolUsage();
    for (Cluster each : cluster.together()) {
      PoolUsage own = each.engine().poolUsage();
      if (!own.isBalanced()) {
        throw new Violation("the pool's bytes do not add up " + own);
      }
      account.add(own);
    }
    if (account.takenBytes() > cluster.engine().takenBytes()) {
      throw new Violation("two compute nodes have the same memory " + account);
    }
    UnusedMemoryCheck.of(cluster);
    account.add(cluster.left());
    long slack = cluster.options().api() == Api.SQL ? CATALOGUE_SLACK_BYTES : 0;
    long left = account.liveBytes() - cluster.liveBytesBefore();
    if (left > slack || left < -slack) {
      throw new Violation("memory is still in use bytes=" + left + " " + account);
    }
  }
}
