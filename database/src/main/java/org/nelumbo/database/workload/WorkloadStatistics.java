package org.nelumbo.database.workload;

import java.util.List;
import java.util.Map;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.txn.AbortCause;

/**
 * Statistics of the statements of a database since this process opened it.
 *
 * @param latencies durations of the measured statements
 * @param flushes round trips to memory nodes, including background work; empty without memory nodes
 * @param aborts numbers of rolled back transactions by cause
 * @param lockWaits number of waits of transactions for a lock
 * @param lockWaitNanos total duration of these waits
 * @param oldestSnapshotNanos age of the oldest snapshot or statement in progress; 0 if there is
 *     none
 * @param horizonNanos lag of the horizon behind the clock; versions deleted since the horizon are
 *     kept
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
   * Number of transactions that a statement ended.
   *
   * @param table one of the statement's tables, with its schema; empty for a COMMIT
   */
  public record Aborts(String table, AbortCause cause, long count) {}
}
