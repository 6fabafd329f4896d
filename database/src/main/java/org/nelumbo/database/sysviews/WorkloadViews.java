package org.nelumbo.database.sysviews;

import static org.nelumbo.database.sysviews.ViewColumns.addLocal;
import static org.nelumbo.database.sysviews.ViewColumns.number;
import static org.nelumbo.database.sysviews.ViewColumns.text;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.nelumbo.database.workload.WorkloadMonitor;
import org.nelumbo.database.workload.WorkloadStatistics;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.latency.LatencyHistogram;
import org.nelumbo.planner.catalog.Catalog;

/** SYS.LATENCIES, SYS.ABORTS and SYS.WAITS: durations of statements, aborts and waits. */
public final class WorkloadViews {
  private final Engine engine;
  private final WorkloadMonitor monitor;

  public WorkloadViews(Engine engine, WorkloadMonitor monitor) {
    this.engine = engine;
    this.monitor = monitor;
  }

  /** Adds the views to a catalog. */
  public void addTo(Catalog catalog) {
    addLocal(
        catalog,
        engine,
        "LATENCIES",
        this::latencies,
        text("KIND"),
        number("MEASURED"),
        number("MEAN_MICROS"),
        number("P50_MICROS"),
        number("P99_MICROS"),
        number("P999_MICROS"),
        number("MAX_MICROS"));
    addLocal(
        catalog,
        engine,
        "ABORTS",
        this::aborts,
        text("TABLE_NAME"),
        text("CAUSE"),
        number("TRANSACTIONS"));
    addLocal(
        catalog,
        engine,
        "WAITS",
        this::waits,
        number("LOCK_WAITS"),
        number("LOCK_WAIT_MICROS"),
        number("OLDEST_SNAPSHOT_MILLIS"),
        number("HORIZON_MILLIS"));
  }

  private List<Object[]> latencies() {
    WorkloadStatistics all = monitor.statistics();
    List<Object[]> rows = new ArrayList<>();
    all.latencies().forEach((of, histogram) -> rows.add(row(of.name(), histogram)));
    rows.add(row("ROUND TRIP", all.flushes()));
    return rows;
  }

  private static Object[] row(String kind, LatencyHistogram histogram) {
    long count = histogram.count();
    return new Object[] {
      kind,
      count,
      micros(histogram.totalNanos() / Math.max(1, count)),
      micros(histogram.quantileNanos(0.5)),
      micros(histogram.quantileNanos(0.99)),
      micros(histogram.quantileNanos(0.999)),
      micros(histogram.largestNanos())
    };
  }

  private static long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos);
  }

  private List<Object[]> aborts() {
    List<Object[]> rows = new ArrayList<>();
    for (WorkloadStatistics.Aborts each : monitor.statistics().aborts()) {
      rows.add(new Object[] {each.table(), each.cause().name(), each.count()});
    }
    return rows;
  }

  private List<Object[]> waits() {
    WorkloadStatistics all = monitor.statistics();
    List<Object[]> rows = new ArrayList<>();
    rows.add(
        new Object[] {
          all.lockWaits(),
          micros(all.lockWaitNanos()),
          TimeUnit.NANOSECONDS.toMillis(all.oldestSnapshotNanos()),
          TimeUnit.NANOSECONDS.toMillis(all.horizonNanos())
        });
    return rows;
  }
}
