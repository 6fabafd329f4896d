package org.nelumbo.benchmark.report;

import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TypeStatistics;

/**
 * The measured numbers of one of several processes that have run a benchmark together.
 *
 * @param number number of the process, from 1
 * @param terminals number of its terminals
 * @param committed number of committed transactions
 * @param committedPerSecond committed transactions per second
 * @param aborts attempts that ended in a conflict
 * @param retries attempts after a conflict
 * @param gaveUp transactions given up after too many conflicts
 * @param unknown transactions that may or may not have committed
 * @param latencyMicros latency from the intended start to the last response
 * @param localLocks locks that its database granted itself, warm-up included; 0 if it does not
 *     count them
 * @param remoteLocks locks that its database requested from other processes, warm-up included
 */
public record ProcessResult(
    int number,
    int terminals,
    long committed,
    double committedPerSecond,
    long aborts,
    long retries,
    long gaveUp,
    long unknown,
    Latency latencyMicros,
    long localLocks,
    long remoteLocks) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double PERCENT = 100;

  public static ProcessResult of(
      int number, int terminals, RunStatistics statistics, long localLocks, long remoteLocks) {
    TypeStatistics total = statistics.total();
    double seconds = statistics.measured().toNanos() / NANOS_PER_SECOND;
    return new ProcessResult(
        number,
        terminals,
        total.committed(),
        total.committed() / seconds,
        total.conflicts(),
        total.retries(),
        total.gaveUp(),
        total.unknown(),
        Latency.ofNanos(total.latencyNanos()),
        localLocks,
        remoteLocks);
  }

  /** Returns the percentage of locks that were requested from other processes. */
  public double remoteLocksPercent() {
    long all = localLocks + remoteLocks;
    return all == 0 ? 0 : PERCENT * remoteLocks / all;
  }
}
