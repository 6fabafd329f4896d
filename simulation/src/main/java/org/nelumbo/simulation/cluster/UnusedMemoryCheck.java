package org.nelumbo.simulation.cluster;

import java.util.Comparator;
import java.util.List;
import org.nelumbo.dm.alloc.DonatedMemory;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.alloc.PoolUsage.Extent;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The free memory of a shared pool: free at one of the compute nodes, or donated. Each piece must
 * be free at one location only and must not be referenced. No client has a transaction. Takes no
 * virtual time.
 */
public final class UnusedMemoryCheck {
  private final List<Extent> unused;

  private UnusedMemoryCheck(List<Extent> unused) {
    this.unused = unused;
  }

  /**
   * Collects the free memory of the compute nodes that share a pool.
   *
   * @throws Violation if memory is free twice
   */
  public static UnusedMemoryCheck of(Cluster any) {
    PoolUsage usage = PoolUsage.withExtents();
    any.together().forEach(each -> each.engine().addUsage(usage));
    if (any.pool().canPeek()) {
      DonatedMemory.addTo(usage, any.pool()::peek);
    }
    List<Extent> sorted =
        usage.unused().stream().sorted(Comparator.comparingLong(Extent::start)).toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).start() < sorted.get(i - 1).end()) {
        throw new Violation(
            "memory is free twice at " + PoolAddress.toString(sorted.get(i).start()));
      }
    }
    return new UnusedMemoryCheck(sorted);
  }

  /**
   * Checks that this memory is free at a compute node that has since taken the pool over
   * exclusively and has traversed all referenced memory. The check is skipped if that compute node
   * has allocated some of it itself.
   *
   * @throws Violation if memory that was free is referenced
   */
  public void checkFreeAt(Cluster alone) {
    if (alone.hasRebuiltIndexes()) {
      return;
    }
    List<Extent> free = of(alone).unused;
    int at = 0;
    for (Extent each : unused) {
      for (long start = each.start(); start < each.end(); start = free.get(at).end()) {
        while (at < free.size() && free.get(at).end() <= start) {
          at++;
        }
        if (at == free.size() || free.get(at).start() > start) {
          throw new Violation("memory in use was marked as free at " + PoolAddress.toString(start));
        }
      }
    }
  }
}
