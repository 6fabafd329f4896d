package org.nelumbo.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CostTableTest {
  @Test
  void shouldShowMeansOfEachType() {
    List<String> lines = CostTable.lines(SampleResults.committing(1_000, List.of()));
    assertEquals(3, lines.size());
    assertEquals(
        "New-Order 1,000 45.3 110.0 61.5 26.0 0.0 12,346 7,890",
        lines.getLast().replaceAll(" +", " "));
  }
}
