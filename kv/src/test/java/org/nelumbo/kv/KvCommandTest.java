package org.nelumbo.kv;

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
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.LongerRuns;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.cli.ExitStatus;

/** The command with the arguments of a user. */
@Timeout(240)
class KvCommandTest {
  private final TypedCommand kv =
      new TypedCommand("kv", "--seed=11", "--keys=1000", "--warmup=30ms");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "jdbc:nelumbo:mem:k, --api=jdbc",
    "jdbc:nelumbo:mem:k, --api=native",
    "jdbc:nelumbo:mem:k, --isolation=snapshot",
    "jdbc:h2:mem:k, --uniform",
    "jdbc:hsqldb:mem:k;hsqldb.tx=mvcc, --theta=0.5",
    "jdbc:sqlite:DIRECTORY/k.db, --read-percent=95"
  })
  void shouldRunAndStayConsistent(String url, String option) throws IOException {
    RunResult result =
        new LongerRuns(directory, kv)
            .until(LongerRuns.committing(1), 150, "--url=" + url, option, "--terminals=3");
    assertTrue(kv.output().contains("after load: 3 of 3 checks hold"));
    assertTrue(kv.output().contains("after run: 4 of 4 checks hold"));
    assertTrue(result.total().committed() > 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 30, 100})
  void shouldMixReadsAndUpdatesExactly(int percent) throws IOException {
    // complete decks of cards except for the first and the last, which are less than a percent
    RunResult result =
        new LongerRuns(directory, kv)
            .until(LongerRuns.committing(5_000), 150, "--read-percent=" + percent);
    double reads = result.types().getFirst().committed();
    assertEquals(percent, 100 * reads / result.total().committed(), 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc", "native"})
  void shouldReadARowInThreeRoundTrips(String api) throws IOException {
    List<TypeCost> costs =
        new LongerRuns(directory, kv)
            .until(LongerRuns.counting(500), 150, "--api=" + api, "--counters")
            .costs();
    assertEquals(3, costs.getFirst().roundTrips(), 0.5, costs::toString);
    assertEquals(0, costs.getFirst().writes(), 0.5, "it reads only");
    assertTrue(costs.get(1).roundTrips() < 8, costs::toString);
  }

  @Test
  void shouldRefuseSettingsThatMakeNoSense() {
    assertEquals(ExitStatus.USAGE, kv.run("--read-percent=101"));
    assertEquals(ExitStatus.USAGE, kv.run("--theta=1"));
    assertTrue(kv.errors().contains("--theta must be more than 0 and not 1"));
  }
}
