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
 * The state that stopped coordinators left behind: their locks, and cells without a timestamp,
 * which belong to whoever holds the write lock of their row.
 *
 * @param locks by coordinator
 * @param cells by coordinator
 */
public record OrphanedState(List<LeftLock> locks, List<LeftCell> cells) {
  /** A lock of a stopped coordinator, granted or being waited for. */
  public record LeftLock(SimTask owner, LockState lock) {}

  /** A cell without a timestamp; its owner is null if nobody holds the row's write lock. */
  public record LeftCell(SimTask owner, PoolInspector.InvisibleCell cell) {}

  /** Looks; called by a simulated thread that lives. */
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

  /** The task that used a coordinator last, null if that is not known. */
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

  /** One line for each. */
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
      out.append(each.owner == null ? "nobody" : each.owner.name())
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
