package org.nelumbo.database.workload;

import java.util.List;
import java.util.Map;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.txn.AbortCause;

/**
 * What the statements of a database did and met, since this process opened it.
 *
 * @param latencies of the statements that were timed
 * @param flushes round trips to memory nodes, also of background work; none where there are none
 * @param aborts transactions that were rolled back, and why
 * @param lockWaits times that a transaction waited for a lock
 * @param lockWaitNanos how long, together
 * @param oldestSnapshotNanos age of the oldest snapshot or statement in progress; 0 if there is
 *     none
 * @param horizonNanos how far the horizon is behind the clock: what was deleted since is kept
 */
public record WorkloadStatistics(
    Map<StatementClass, LatencyHistogram> latencies,
    LatencyHistogram flushes,
    List<Aborts> aborts,
    long lockWaits,
    long lockWaitNanos,
    long oldestSnapshotNanos,
    long horizonNanos) {

  /**
   * Transactions that a statement ended.
   *
   * @param table one of the statement's, as schema and name; empty for a COMMIT
   */
  public record Aborts(String table, AbortCause cause, long count) {}
}
