package org.nelumbo.benchmark.report;

import java.util.List;
import java.util.Map;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.cost.TypeCost;

/** Results to report on. */
public final class SampleResults {
  private SampleResults() {}

  /** A run that committed so many transactions in two seconds. */
  public static RunResult committing(long committed, List<CheckResult> checks) {
    Latency latency = new Latency(10, 20.5, 99.25, 1234.5, 12);
    TypeResult type = new TypeResult("New-Order", committed, 5, 7, 6, 1, 2, latency);
    TypeResult total = new TypeResult("all", committed, 5, 7, 6, 1, 2, latency);
    return new RunResult(
        "tpcc",
        new RunResult.Target(
            "jdbc:h2:mem:x", "jdbc", "H2", "2.4", "serializable", "snapshot isolation"),
        4,
        123_456_789_012L,
        Map.of("warehouses", "1"),
        1.5,
        2,
        List.of(type),
        total,
        List.of(new Metric("nopm", "new-orders/min (unaudited)", 12_345.6)),
        List.of(new TypeCost("New-Order", committed, 45.25, 110, 61.5, 26, 0, 12_345.6, 7_890)),
        checks,
        List.of("a deviation"),
        List.of("a remark"));
  }
}
