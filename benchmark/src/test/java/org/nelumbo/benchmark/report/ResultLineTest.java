package org.nelumbo.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.check.CheckResult;

class ResultLineTest {
  private static final CheckResult PASSED = CheckResult.passed("a", "after load");
  private static final CheckResult FAILED = CheckResult.failed("b", "after run", "x=1");

  @Test
  void shouldKeepResultLineFormat() {
    String line = ResultLine.of(SampleResults.committing(2_000, List.of(PASSED)));
    assertEquals(
        "RESULT benchmark=tpcc url=jdbc:h2:mem:x api=jdbc terminals=4 committed=2000 tps=1000"
            + " nopm=12346 aborts=7 p99_us=99.3 consistent=true retries=6 rollbacks=5 gave_up=1"
            + " unknown=2 isolation=serializable loop=open rate=1500 not_started=4"
            + " service_p99_us=99.3 seconds=2.00 seed=123456789012 warehouses=1",
        line);
  }

  @Test
  void shouldReportConsistencyOfDatabase() {
    assertTrue(
        ResultLine.of(SampleResults.committing(1, List.of(PASSED, FAILED)))
            .contains(" consistent=false "));
    assertTrue(
        ResultLine.of(SampleResults.committing(1, List.of())).contains(" consistent=unchecked "));
  }
}
