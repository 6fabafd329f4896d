package org.nelumbo.tatp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
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
import org.nelumbo.tatp.terminal.TransactionType;

/** The command with the arguments of a user. */
@Timeout(240)
class TatpCommandTest {
  private final TypedCommand tatp =
      new TypedCommand("tatp", "--seed=11", "--warmup=30ms", "--subscribers=1000");

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "jdbc:nelumbo:mem:t, --api=jdbc",
    "jdbc:nelumbo:mem:t, --api=native",
    "jdbc:nelumbo:mem:t, --isolation=snapshot",
    "jdbc:h2:mem:t, --uniform",
    "jdbc:hsqldb:mem:t;hsqldb.tx=mvcc, --api=jdbc",
    "jdbc:sqlite:DIRECTORY/t.db, --api=jdbc"
  })
  void shouldRunAndStayConsistent(String url, String option) throws IOException {
    RunResult result =
        new LongerRuns(directory, tatp)
            .until(LongerRuns.committing(1), 150, "--url=" + url, option, "--terminals=3");
    assertTrue(tatp.output().contains("after load: 10 of 10 checks hold"), tatp::output);
    assertTrue(tatp.output().contains("after run: 9 of 9 checks hold"), tatp::output);
    assertTrue(result.total().committed() > 0);
    assertEquals(TransactionType.titles(), result.types().stream().map(t -> t.name()).toList());
    assertTrue(tatp.output().contains("deviation: SMALL POPULATION: 1000 subscribers"));
    assertEquals(option.equals("--uniform"), tatp.output().contains("deviation: --uniform"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc", "native"})
  void shouldSucceedAtExpectedRates(String api) throws IOException {
    // seven standard deviations of the share of the rarest type are then less than 8 percent
    Predicate<RunResult> enough =
        run -> run.types().stream().allMatch(t -> t.committed() + t.rolledBack() >= 2_000);
    RunResult result =
        new LongerRuns(directory, tatp).until(enough, 1_000, "--api=" + api, "--uniform");
    for (TransactionType type : TransactionType.values()) {
      String key = "success_" + type.name().toLowerCase(Locale.ROOT);
      double percent =
          result.metrics().stream().filter(m -> m.key().equals(key)).findAny().get().value();
      assertEquals(type.successPercent(), percent, 8, key);
    }
    assertTrue(tatp.output().contains("% of GET_ACCESS_DATA succeeded, expected 62.5"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc", "native"})
  void shouldReportCostPerTransactionType(String api) throws IOException {
    List<TypeCost> costs =
        new LongerRuns(directory, tatp)
            .until(LongerRuns.counting(50), 150, "--api=" + api, "--counters")
            .costs();
    TypeCost get = costs.get(TransactionType.GET_SUBSCRIBER_DATA.ordinal());
    assertTrue(get.roundTrips() >= 3 && get.roundTrips() < 5, get::toString);
    assertEquals(0, get.writes(), 0.5, "it reads only");
    TypeCost update = costs.get(TransactionType.UPDATE_LOCATION.ordinal());
    assertTrue(update.writes() >= 3 && update.roundTrips() < 15, update::toString);
  }

  @Test
  void shouldRefuseToRunWithoutSubscribers() {
    assertEquals(ExitStatus.USAGE, tatp.run("--subscribers=0"));
  }
}
