package org.nelumbo.benchmark.report;

import java.util.List;
import org.nelumbo.benchmark.run.TypeStatistics;

/**
 * The measured numbers of one transaction type, or of all types together.
 *
 * @param name name of the type
 * @param committed number of committed transactions
 * @param rolledBack transactions rolled back as the benchmark demands
 * @param aborts attempts that ended in a conflict
 * @param retries attempts after a conflict
 * @param gaveUp transactions given up after too many conflicts
 * @param unknown transactions that may or may not have committed
 * @param backOffMillis time spent waiting between attempts
 * @param latencyMicros latency from the intended start to the last response, retries and back-off
 *     included
 * @param serviceMicros duration of the last attempt alone
 * @param latencyCurve all percentiles of the latency
 * @param serviceCurve all percentiles of the service time
 * @param causes causes of aborts
 */
public record TypeResult(
    String name,
    long committed,
    long rolledBack,
    long aborts,
    long retries,
    long gaveUp,
    long unknown,
    double backOffMillis,
    Latency latencyMicros,
    Latency serviceMicros,
    List<PercentilePoint> latencyCurve,
    List<PercentilePoint> serviceCurve,
    List<AbortCount> causes) {
  private static final double NANOS_PER_MILLI = 1e6;

  public static TypeResult of(String name, TypeStatistics statistics) {
    return new TypeResult(
        name,
        statistics.committed(),
        statistics.rolledBack(),
        statistics.conflicts(),
        statistics.retries(),
        statistics.gaveUp(),
        statistics.unknown(),
        statistics.backOffNanos() / NANOS_PER_MILLI,
        Latency.ofNanos(statistics.latencyNanos()),
        Latency.ofNanos(statistics.serviceNanos()),
        PercentilePoint.curve(statistics.latencyNanos()),
        PercentilePoint.curve(statistics.serviceNanos()),
        AbortCount.of(statistics));
  }
}
