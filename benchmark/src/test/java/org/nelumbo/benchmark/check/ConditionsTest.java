package org.nelumbo.benchmark.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionsTest {
  @ParameterizedTest
  @CsvSource({"4, false", "5, true", "6, true", "7, true", "8, false"})
  void shouldIncludeBothBounds(long there, boolean passed) {
    assertEquals(passed, Conditions.between("x", "now", 5, 7, there, "rows").passed());
  }

  @Test
  void shouldReportBoundsAndActualValue() {
    CheckResult result = Conditions.between("x", "now", 5, 7, 9, "rows");
    assertTrue(result.sample().contains("least=5 most=7 there=9 rows"));
  }
}
