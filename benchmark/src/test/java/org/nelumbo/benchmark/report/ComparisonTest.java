package org.nelumbo.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void shouldReportMedianSpreadAndRatioToFirst() {
    Comparison comparison = new Comparison();
    for (long committed : new long[] {6_000, 2_000, 4_000}) {
      comparison.add("a", SampleResults.of("jdbc:a:x", "A", committed, List.of()));
    }
    comparison.add("b", SampleResults.of("jdbc:b:x", "H2", 1_000, List.of()));
    List<String> lines = comparison.lines();
    assertTrue(
        lines.contains(
            "COMPARE benchmark=tpcc url=jdbc:a:x rounds=3 tps_median=2000 tps_min=1000 tps_max=3000"
                + " first_over_this=1.00 consistent=unchecked api=jdbc terminals=4"
                + " aborted_percent=0.17"));
    assertTrue(
        lines.contains(
            "COMPARE benchmark=tpcc url=jdbc:b:x rounds=1 tps_median=500 tps_min=500 tps_max=500"
                + " first_over_this=4.00 consistent=unchecked api=jdbc terminals=4"
                + " aborted_percent=0.69"));
    assertTrue(lines.contains("b: H2 2.4, serializable is snapshot isolation"));
  }
}
