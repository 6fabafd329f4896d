package org.nelumbo.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.LongerRuns;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.report.TypeResult;
import org.nelumbo.cli.ExitStatus;

/** The command with the arguments of a user. */
@Timeout(240)
class YcsbCommandTest {
  private final TypedCommand ycsb =
      new TypedCommand("ycsb", "--seed=11", "--records=1000", "--warmup=30ms");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "a, jdbc:nelumbo:mem:y, jdbc, READ UPDATE",
    "b, jdbc:h2:mem:y, jdbc, READ UPDATE",
    "c, jdbc:nelumbo:mem:y, native, READ",
    "d, jdbc:nelumbo:mem:y, jdbc, READ INSERT",
    "d, jdbc:nelumbo:mem:y, native, READ INSERT",
    "e, jdbc:nelumbo:mem:y, jdbc, SCAN INSERT",
    "e, jdbc:nelumbo:mem:y, native, SCAN INSERT",
    "e, jdbc:h2:mem:y, jdbc, SCAN INSERT",
    "e, jdbc:hsqldb:mem:y;hsqldb.tx=mvcc, jdbc, SCAN INSERT",
    "d, jdbc:sqlite:DIRECTORY/y.db, jdbc, READ INSERT",
    "f, jdbc:nelumbo:mem:y, jdbc, READ READ_MODIFY_WRITE",
    "f, jdbc:nelumbo:mem:y, native, READ READ_MODIFY_WRITE"
  })
  void shouldRunAndStayConsistent(String workload, String url, String api, String types)
      throws IOException {
    RunResult result =
        new LongerRuns(directory, ycsb)
            .until(
                LongerRuns.committing(1),
                150,
                "--workload=" + workload,
                "--url=" + url,
                "--api=" + api,
                "--terminals=3");
    assertTrue(ycsb.output().contains("after load: 2 of 2 checks hold"));
    assertTrue(ycsb.output().contains("after run: 2 of 2 checks hold"));
    assertEquals("ycsb-" + workload, result.benchmark());
    assertEquals(
        List.of(types.split(" ", -1)), result.types().stream().map(TypeResult::name).toList());
    assertTrue(result.total().committed() > 0);
  }

  @ParameterizedTest
  @CsvSource({"jdbc, 8", "native, 8"})
  void shouldReportCostPerOperationType(String api, double most) throws IOException {
    List<TypeCost> costs =
        new LongerRuns(directory, ycsb)
            .until(LongerRuns.counting(500), 150, "--api=" + api, "--counters")
            .costs();
    assertEquals(3, costs.getFirst().roundTrips(), 0.5, costs::toString);
    assertTrue(costs.get(1).roundTrips() < most, costs::toString);
    assertTrue(costs.get(1).bytesOut() > 1_000, costs::toString);
  }

  @Test
  void shouldRefuseSettingsThatMakeNoSense() {
    assertEquals(ExitStatus.USAGE, ycsb.run("--workload=g"));
    assertEquals(ExitStatus.USAGE, ycsb.run("--max-scan-length=0"));
    assertEquals(ExitStatus.USAGE, ycsb.run("--theta=0"));
  }
}
