package org.nelumbo.tatp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.BenchmarkMain;
import org.nelumbo.benchmark.ExitStatus;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.report.JsonReport;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.tatp.terminal.TransactionType;
import picocli.CommandLine;

/** The command as a user types it. */
@Timeout(120)
class TatpCommandTest {
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

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
    Path json = directory.resolve("result.json");
    String real = url.replace("DIRECTORY", directory.toString());
    int status = tatp("--url=" + real, option, "--terminals=3", "--json=" + json);
    assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
    assertTrue(output.toString().contains("after load: 10 of 10 checks hold"), output::toString);
    assertTrue(output.toString().contains("after run: 9 of 9 checks hold"), output::toString);
    RunResult result = JsonReport.read(json).getFirst();
    assertTrue(result.total().committed() > 0);
    assertEquals(TransactionType.titles(), result.types().stream().map(t -> t.name()).toList());
    assertTrue(output.toString().contains("deviation: SMALL POPULATION: 1000 subscribers"));
    assertEquals(option.equals("--uniform"), output.toString().contains("deviation: --uniform"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc", "native"})
  void shouldFailAsOftenAsThePopulationSays(String api) throws IOException {
    Path json = directory.resolve("result.json");
    int status = tatp("--api=" + api, "--uniform", "--duration=1s", "--json=" + json);
    assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
    RunResult result = JsonReport.read(json).getFirst();
    for (TransactionType type : TransactionType.values()) {
      String key = "success_" + type.name().toLowerCase(java.util.Locale.ROOT);
      double percent =
          result.metrics().stream().filter(m -> m.key().equals(key)).findAny().get().value();
      assertEquals(type.successPercent(), percent, 8, key);
    }
    assertTrue(output.toString().contains("% of GET_ACCESS_DATA succeeded, expected 62.5"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc", "native"})
  void shouldCountWhatTransactionsCost(String api) throws IOException {
    Path json = directory.resolve("result.json");
    int status = tatp("--api=" + api, "--counters", "--json=" + json);
    assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
    List<TypeCost> costs = JsonReport.read(json).getFirst().costs();
    TypeCost get = costs.get(TransactionType.GET_SUBSCRIBER_DATA.ordinal());
    assertTrue(get.roundTrips() >= 3 && get.roundTrips() < 5, get::toString);
    assertEquals(0, get.writes(), 0.5, "it reads only");
    TypeCost update = costs.get(TransactionType.UPDATE_LOCATION.ordinal());
    assertTrue(update.writes() >= 3 && update.roundTrips() < 15, update::toString);
  }

  @Test
  void shouldRefuseToRunWithoutSubscribers() {
    assertEquals(ExitStatus.USAGE, tatp("--subscribers=0"));
  }

  private int tatp(String... options) {
    List<String> arguments = new ArrayList<>(List.of("tatp", "--seed=11", "--warmup=30ms"));
    List<String> given = List.of(options);
    addUnlessGiven(arguments, given, "--duration", "150ms");
    addUnlessGiven(arguments, given, "--subscribers", "1000");
    arguments.addAll(given);
    CommandLine bench = BenchmarkMain.commandLine();
    bench.setOut(new PrintWriter(output));
    bench.setErr(new PrintWriter(errors));
    return bench.execute(arguments.toArray(String[]::new));
  }

  private static void addUnlessGiven(
      List<String> arguments, List<String> given, String option, String value) {
    if (given.stream().noneMatch(o -> o.startsWith(option + "="))) {
      arguments.add(option + "=" + value);
    }
  }
}
