package org.nelumbo.benchmark.report;

import org.nelumbo.benchmark.run.TypeStatistics;

/**
 * The measured numbers of one transaction type, or of all together.
 *
 * @param name of the type
 * @param committed transactions
 * @param rolledBack because the benchmark says so
 * @param aborts tries that ended in a conflict
 * @param retries tries after a conflict
 * @param gaveUp transactions given up after too many conflicts
 * @param unknown transactions that may or may not have committed
 * @param latency with retries and back-off included
 */
public record TypeResult(
    String name,
    long committed,
    long rolledBack,
    long aborts,
    long retries,
    long gaveUp,
    long unknown,
    Latency latency) {

  /** The numbers of one type. */
  public static TypeResult of(String name, TypeStatistics statistics) {
    return new TypeResult(
        name,
        statistics.committed(),
        statistics.rolledBack(),
        statistics.conflicts(),
        statistics.retries(),
        statistics.gaveUp(),
        statistics.unknown(),
        Latency.ofNanos(statistics.latencyNanos()));
  }
}
