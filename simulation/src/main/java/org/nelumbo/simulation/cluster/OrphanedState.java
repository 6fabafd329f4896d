package org.nelumbo.simulation.cluster;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.HeldLocks;
import org.nelumbo.executor.engine.PoolInspector;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockState;
import org.nelumbo.simulation.world.SimTask;

/**
 * The state left by stopped coordinators: their locks, and cells without a timestamp. A cell
 * belongs to the holder of the write lock of its row.
 *
 * @param locks locks by coordinator
 * @param cells cells by coordinator
 */
public record OrphanedState(List<LeftLock> locks, List<LeftCell> cells) {
  /** A lock of a stopped coordinator, granted or waited for. */
  public record LeftLock(SimTask owner, LockState lock) {}

  /** A cell without a timestamp; its owner is null if the row's write lock is free. */
  public record LeftCell(SimTask owner, PoolInspector.InvisibleCell cell) {}

  /** Collects the state; called by a live simulated thread. */
  public static OrphanedState of(Cluster cluster) {
    List<LeftLock> locks = new ArrayList<>();
    for (HeldLocks held : HeldLocks.of(cluster.engine())) {
      SimTask owner = owner(cluster, held.coordinator());
      if (owner != null && owner.isStopped()) {
        held.locks().forEach(lock -> locks.add(new LeftLock(owner, lock)));
      }
    }
    List<LeftCell> cells = new ArrayList<>();
    try (PoolInspector inspector = new PoolInspector(cluster.engine())) {
      for (PoolInspector.InvisibleCell cell : inspector.invisibleCells(cluster.table())) {
        cells.add(new LeftCell(writer(locks, cell), cell));
      }
    }
    return new OrphanedState(locks, cells);
  }

  /** Returns the task that used a coordinator last, or null if unknown. */
  public static SimTask owner(Cluster cluster, Coordinator coordinator) {
    return cluster.pool().userOf(coordinator.channel());
  }

  private static SimTask writer(List<LeftLock> locks, PoolInspector.InvisibleCell cell) {
    for (LeftLock each : locks) {
      if (each.lock.key() == cell.lotusKey()
          && each.lock.mode() == LockMode.WRITE
          && each.lock.granted()) {
        return each.owner;
      }
    }
    return null;
  }

  /** Returns one line for each lock and cell. */
  public String describe() {
    StringBuilder out = new StringBuilder();
    for (LeftLock each : locks) {
      out.append(each.owner)
          .append(each.lock.granted() ? " holds " : " waited for ")
          .append(mode(each.lock.mode()))
          .append(" lock ")
          .append(
              each.lock.isLeaf()
                  ? "leaf " + PoolAddress.toString(each.lock.key())
                  : "key 0x" + Long.toHexString(each.lock.key()))
          .append('\n');
    }
    for (LeftCell each : cells) {
      out.append(each.owner == null ? "no transaction" : each.owner.name())
          .append(" left INVISIBLE cvt ")
          .append(PoolAddress.toString(each.cell.cvt()))
          .append(" cell[")
          .append(each.cell.cell())
          .append("]\n");
    }
    return out.toString();
  }

  private static String mode(LockMode mode) {
    return mode == LockMode.WRITE ? "write" : mode == LockMode.READ ? "read" : "insert";
  }
}
