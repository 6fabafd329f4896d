package org.nelumbo.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.nelumbo.database.DatabaseStatistics;
import org.nelumbo.database.workload.StatementClass;
import org.nelumbo.database.workload.WorkloadStatistics;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.executor.txn.AbortCause;

/**
 * Meters of the durations of statements and round trips, the causes of rollbacks, and waits. A
 * histogram is one counter per bound, with a tag {@code le} in seconds as in Prometheus: {@code
 * histogram_quantile} works on their rates.
 */
final class WorkloadMetrics implements MeterBinder {
  private static final double NANOS = 1e9;
  private static final int FIRST_BOUND = 10;
  private static final int LAST_BOUND = 36;

  private final Supplier<DatabaseStatistics> statistics;
  private final String database;

  WorkloadMetrics(Supplier<DatabaseStatistics> statistics, String database) {
    this.statistics = statistics;
    this.database = database;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (StatementClass each : StatementClass.values()) {
      String kind = each.name().toLowerCase(Locale.ROOT);
      bindHistogram(
          registry,
          "nelumbo.statement.seconds",
          Tags.of("kind", kind),
          all -> all.latencies().get(each));
    }
    bindHistogram(registry, "nelumbo.roundtrip.seconds", Tags.empty(), WorkloadStatistics::flushes);
    for (AbortCause cause : AbortCause.values()) {
      bindAborts(registry, cause);
    }
    counter("nelumbo.lock.waits", all -> all.lockWaits())
        .description("Times that a transaction waited for a lock")
        .register(registry);
    counter("nelumbo.lock.wait.seconds", all -> all.lockWaitNanos() / NANOS)
        .description("Total time that transactions waited for locks")
        .register(registry);
    gauge("nelumbo.snapshot.oldest.seconds", all -> all.oldestSnapshotNanos() / NANOS)
        .description("Age of the oldest snapshot or statement in progress")
        .register(registry);
    gauge("nelumbo.horizon.seconds", all -> all.horizonNanos() / NANOS)
        .description("Age of the horizon: old versions since then are retained")
        .register(registry);
  }

  private void bindHistogram(
      MeterRegistry registry,
      String meter,
      Tags tags,
      Function<WorkloadStatistics, LatencyHistogram> of) {
    for (int power = FIRST_BOUND; power <= LAST_BOUND; power++) {
      long bound = 1L << power;
      bucket(registry, meter, tags, Double.toString(bound / NANOS), of, bound);
    }
    bucket(registry, meter, tags, "+Inf", of, Long.MAX_VALUE);
    counter(meter + ".sum", all -> of.apply(all).totalNanos() / NANOS)
        .tags(tags)
        .description("Total duration of the measured ones")
        .register(registry);
  }

  private void bucket(
      MeterRegistry registry,
      String meter,
      Tags tags,
      String le,
      Function<WorkloadStatistics, LatencyHistogram> of,
      long bound) {
    counter(meter + ".bucket", all -> of.apply(all).countBelow(bound))
        .tags(tags)
        .tag("le", le)
        .description("Measured ones that took at most this many seconds")
        .register(registry);
  }

  private void bindAborts(MeterRegistry registry, AbortCause cause) {
    counter("nelumbo.transactions.aborted", all -> aborts(all, cause))
        .tag("cause", cause.name().toLowerCase(Locale.ROOT))
        .description(
            "Transactions aborted by a statement, counted for each of its tables;"
                + " SYS.ABORTS lists them")
        .register(registry);
  }

  private static long aborts(WorkloadStatistics all, AbortCause cause) {
    return all.aborts().stream()
        .filter(each -> each.cause() == cause)
        .mapToLong(WorkloadStatistics.Aborts::count)
        .sum();
  }

  private FunctionCounter.Builder<Supplier<DatabaseStatistics>> counter(
      String meter, ToDoubleFunction<WorkloadStatistics> value) {
    return FunctionCounter.builder(
            meter, statistics, each -> value.applyAsDouble(each.get().workload()))
        .tag("database", database);
  }

  private Gauge.Builder<Supplier<DatabaseStatistics>> gauge(
      String meter, ToDoubleFunction<WorkloadStatistics> value) {
    return Gauge.builder(meter, statistics, each -> value.applyAsDouble(each.get().workload()))
        .tag("database", database);
  }
}
