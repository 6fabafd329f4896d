package org.nelumbo.database.sysviews;

import org.nelumbo.database.AttachReport;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.database.plancache.PlanCache;
import org.nelumbo.database.session.LocalSession;
import org.nelumbo.database.session.SessionRegistry;
import org.nelumbo.database.workload.WorkloadMonitor;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.executor.cluster.ClusterMember;
import org.nelumbo.executor.cluster.ClusterStatistics;
import org.nelumbo.executor.engine.Engine;

/** Reads the statistics of a database from its engine, sessions and caches. */
public final class StatisticsReader {
  private StatisticsReader() {}

  /**
   * Returns the current statistics of a database.
   *
   * @param memberOrNull this compute node as a member of a shared pool; null if the pool is
   *     exclusive
   */
  public static DatabaseStatistics read(
      Engine engine,
      PlanCache planCache,
      SessionRegistry registry,
      AttachReport attach,
      WorkloadMonitor monitor,
      ClusterMember memberOrNull) {
    int sessions = registry.nativeCount();
    int active = 0;
    int waiting = 0;
    for (LocalSession session : registry.sessions()) {
      sessions++;
      active += session.inTransaction() ? 1 : 0;
      waiting += session.isWaiting() ? 1 : 0;
    }
    return new DatabaseStatistics(
        sessions,
        active,
        waiting,
        engine.transactionCounts(),
        planCache.size(),
        planCache.compilations(),
        memory(engine),
        engine.fabric().traffic(),
        engine.fabric().replicationStatus(),
        engine.environment().failures(),
        attach,
        caches(engine),
        monitor.statistics(),
        memberOrNull == null ? ClusterStatistics.ALONE : memberOrNull.statistics());
  }

  static DatabaseStatistics.Caches caches(Engine engine) {
    return new DatabaseStatistics.Caches(
        engine.cvtCacheCounts(), engine.addressCacheCounts(), engine.recordCacheCounts());
  }

  static DatabaseStatistics.Memory memory(Engine engine) {
    PoolUsage account = engine.poolUsage();
    long capacity = 0;
    for (int node = 0; node < engine.fabric().nodeCount(); node++) {
      capacity += engine.fabric().nodeBytes(node);
    }
    long taken = engine.takenBytes();
    long free = account.freeBytes() + account.spareBytes();
    long live = Math.max(0, taken - free - account.retiredBytes());
    return new DatabaseStatistics.Memory(capacity, taken, live, free, account.retiredBytes());
  }
}
