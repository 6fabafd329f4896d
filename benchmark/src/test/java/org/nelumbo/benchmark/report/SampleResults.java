package org.nelumbo.benchmark.report;

import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;

/** Results for tests of reports. */
public final class SampleResults {
  private SampleResults() {}

  /** Returns a run that committed the given number of transactions in two seconds. */
  public static RunResult committing(long committed, List<CheckResult> checks) {
    return of("jdbc:h2:mem:x", "H2", committed, checks);
  }

  /** Returns a result with the given commits and checks on the given database. */
  public static RunResult of(String url, String product, long committed, List<CheckResult> checks) {
    Latency latency = new Latency(10, 15, 20.5, 99.25, 400, 1234.5, 12);
    return new RunResult(
        "tpcc",
        new RunResult.Target(
            url, "jdbc", product, "2.4", "H2 driver 2.4", "serializable", "snapshot isolation"),
        4,
        123_456_789_012L,
        Map.of("warehouses", "1"),
        new RunResult.Setup(
            "2026-01-01T00:00:00Z", "./nelumbo bench tpcc --seed=1", Map.of("retries", "100")),
        host(),
        1.5,
        new WarmupPhase(5, true, false),
        2,
        new LoadResult("open", "poisson", 1_500, 3_000, 17, 4),
        List.of(type("New-Order", committed, latency)),
        type("all", committed, latency),
        List.of(
            new IntervalResult(0, committed / 2, 1, 0, 0, latency),
            new IntervalResult(1, committed / 2, 4, 7, 2, latency)),
        new UsageResult(committed, 12.5, 1_024, 3, 40, 17, 64, 512),
        List.of(new Metric("nopm", "new-orders/min (unaudited)", 12_345.6)),
        List.of(new TypeCost("New-Order", committed, 45.25, 110, 61.5, 26, 0, 12_345.6, 7_890)),
        checks,
        List.of("a deviation"),
        List.of("a remark"),
        List.of(
            new ProcessResult(1, 2, committed / 2, 25, 4, 3, 1, 1, latency, 300, 100),
            new ProcessResult(2, 2, committed / 2, 25, 3, 3, 0, 1, latency, 200, 200)));
  }

  private static TypeResult type(String name, long committed, Latency latency) {
    List<PercentilePoint> curve =
        List.of(
            new PercentilePoint(0, 5), new PercentilePoint(50, 10), new PercentilePoint(100, 1234));
    return new TypeResult(
        name,
        committed,
        5,
        7,
        6,
        1,
        2,
        3.25,
        latency,
        latency,
        curve,
        curve,
        List.of(
            new AbortCount("conflict", "40001", 0, "retried", 6),
            new AbortCount("unknown outcome", "08007", 12, "unknown", 2)));
  }

  private static Host host() {
    return new Host(
        "A CPU",
        2,
        16_384,
        "Linux 6.1 amd64",
        "A VM 25",
        List.of("-XX:+UseParallelGC"),
        "PS Scavenge",
        1_024,
        0.5,
        "0.1",
        "abc1234");
  }
}
