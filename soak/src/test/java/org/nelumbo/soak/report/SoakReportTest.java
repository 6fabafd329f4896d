package org.nelumbo.soak.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakReportTest {
  private static final int TAIL = 2;

  @Test
  void shouldAddNumbersOfOneKey() {
    ResultSums sums = new ResultSums();
    assertTrue(sums.add("RESULT soak=cluster seed=5 rounds=2 committed=70"));
    assertTrue(sums.add("RESULT soak=cluster seed=6 rounds=3 committed=30 hash=12"));
    assertFalse(sums.add("round=2 committed=70"));
    assertEquals("rounds=5 committed=100", sums.toString());
    assertEquals(100, sums.sum("committed"));
    assertEquals(2, sums.lines());
  }

  @Test
  void shouldShowFailuresWithTheirCommand() {
    SoakReport report = new SoakReport();
    report.add("cluster", "a b", 0, Duration.ofMinutes(1), List.of("RESULT x=1"), TAIL);
    assertTrue(report.isClean());
    report.add("cluster", "c d", 1, Duration.ofMinutes(2), List.of("1", "2", "RESULT x=2"), TAIL);
    assertFalse(report.isClean());
    String page = report.markdown();
    assertTrue(page.contains("| cluster | 2 | 1 | 3.0 | x=3 |"), page);
    assertTrue(page.contains("\nc d\n"), page);
    assertTrue(page.contains("2\nRESULT x=2\n```"), page);
  }
}
