package org.nelumbo.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.benchmark.BenchmarkMain;
import org.nelumbo.benchmark.ExitStatus;
import org.nelumbo.benchmark.LongerRuns;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.report.RunResult;
import picocli.CommandLine;

/** The command as a user types it. */
@Timeout(240)
class SmallBankCommandTest {
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "jdbc:nelumbo:mem:s, --api=jdbc",
    "jdbc:nelumbo:mem:s, --api=native",
    "jdbc:nelumbo:mem:s, --isolation=snapshot",
    "jdbc:h2:mem:s, --api=jdbc",
    "jdbc:hsqldb:mem:s;hsqldb.tx=mvcc, --api=jdbc",
    "jdbc:sqlite:DIRECTORY/s.db, --api=jdbc"
  })
  void shouldRunAndStayConsistent(String url, String option) throws IOException {
    String real = url.replace("DIRECTORY", directory.toString());
    RunResult result =
        until(LongerRuns.committing(1), 150, "--url=" + real, option, "--terminals=3");
    assertTrue(output.toString().contains("after load: 4 of 4 checks hold"));
    assertTrue(output.toString().contains("after run: 4 of 4 checks hold"));
    assertTrue(result.total().committed() > 0);
    assertEquals(6, result.types().size());
    assertEquals("full", result.parameters().get("variant"));
    assertFalse(result.deviations().isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"jdbc:nelumbo:mem:c, jdbc", "jdbc:nelumbo:mem:c, native", "jdbc:h2:mem:c, jdbc"})
  void shouldLabelThePrototypesVariant(String url, String api) {
    int status =
        smallbank("--duration=150ms", "--url=" + url, "--api=" + api, "--compat", "--terminals=2");
    assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
    assertTrue(output.toString().contains("after run: 4 of 4 checks hold"));
    assertTrue(output.toString().contains("smallbank-compat on "), output::toString);
    assertTrue(output.toString().contains("deviation: COMPAT"));
    assertTrue(output.toString().contains(" variant=compat"));
  }

  @ParameterizedTest
  @CsvSource({"native, 3", "jdbc, 4"})
  void shouldCountWhatTransactionsCost(String api, double balanceRoundTripsMost)
      throws IOException {
    List<TypeCost> costs =
        until(LongerRuns.counting(50), 150, "--api=" + api, "--counters", "--accounts=100").costs();
    TypeCost balance = costs.get(1);
    assertEquals("Balance", balance.name());
    assertEquals(0, balance.writes(), 0.5, "it reads only");
    assertTrue(balance.roundTrips() > 1 && balance.roundTrips() < 3 * balanceRoundTripsMost);
    TypeCost deposit = costs.get(2);
    assertTrue(deposit.writes() >= 3, deposit::toString);
  }

  @Test
  void shouldRefuseSettingsThatMakeNoSense() {
    assertEquals(ExitStatus.USAGE, smallbank("--accounts=1"));
    assertEquals(ExitStatus.USAGE, smallbank("--hot-accounts=2000"));
    assertEquals(ExitStatus.USAGE, smallbank("--hot-probability=101"));
    assertTrue(errors.toString().contains("--hot-probability must be 0 to 100"));
  }

  private RunResult until(Predicate<RunResult> enough, long millis, String... options)
      throws IOException {
    return new LongerRuns(directory.resolve("result.json"))
        .until(
            enough,
            millis,
            words -> {
              output.getBuffer().setLength(0);
              int status = smallbank(words.toArray(String[]::new));
              assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
            },
            options);
  }

  private int smallbank(String... options) {
    List<String> arguments = new ArrayList<>(List.of("smallbank", "--seed=11"));
    arguments.add("--warmup=30ms");
    if (List.of(options).stream().noneMatch(o -> o.startsWith("--accounts"))) {
      arguments.add("--accounts=1000");
    }
    arguments.addAll(List.of(options));
    CommandLine bench = BenchmarkMain.commandLine();
    bench.setOut(new PrintWriter(output));
    bench.setErr(new PrintWriter(errors));
    return bench.execute(arguments.toArray(String[]::new));
  }
}
