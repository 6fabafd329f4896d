package org.nelumbo.tpcc;

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
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.BenchmarkMain;
import org.nelumbo.benchmark.ExitStatus;
import org.nelumbo.benchmark.LongerRuns;
import org.nelumbo.benchmark.cost.TypeCost;
import org.nelumbo.benchmark.report.RunResult;
import picocli.CommandLine;

/** TPC-C on our own engine as a user types it: through SQL and through key operations. */
@Timeout(240)
class NativeCommandTest {
  private static final String HALF_A_SECOND = "--duration=500ms";

  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"native", "jdbc"})
  void shouldRunAndStayConsistent(String api) throws IOException {
    until(LongerRuns.committing(1), 500, "--api=" + api, "--terminals=3", "--warehouses=2");
    assertTrue(output.toString().contains("after load: 12 of 12 checks hold"));
    assertTrue(output.toString().contains("after run: 13 of 13 checks hold"));
    String result = output.toString().lines().filter(l -> l.startsWith("RESULT")).findAny().get();
    assertTrue(result.contains(" api=" + api + " "), result);
    assertTrue(result.contains(" consistent=true "), result);
    assertFalse(result.contains(" committed=0 "), result);
    assertEquals(api.equals("native"), output.toString().contains("deviation: native API"));
  }

  @Test
  void shouldRunUnderSnapshotIsolation() {
    int status = tpcc(HALF_A_SECOND, "--api=native", "--terminals=3", "--isolation=snapshot");
    assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
    assertTrue(output.toString().contains(" consistent=true "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "jdbc"})
  void shouldCountWhatTransactionsCost(String api) throws IOException {
    List<TypeCost> costs =
        until(LongerRuns.counting(150), 1_000, "--api=" + api, "--counters").costs();
    assertTrue(output.toString().contains("round trips"));
    assertEquals(5, costs.size());
    TypeCost newOrder = costs.getFirst();
    assertEquals("New-Order", newOrder.name());
    assertTrue(newOrder.transactions() > 0 && newOrder.writes() > 12, newOrder::toString);
    assertTrue(newOrder.reads() > 20 && newOrder.bytesIn() > 20 * 64, newOrder::toString);
    assertTrue(newOrder.roundTrips() < newOrder.reads() + newOrder.writes(), newOrder::toString);
    TypeCost orderStatus = costs.get(2);
    assertTrue(orderStatus.reads() > 0, orderStatus::toString);
    // It reads only; but at the end of one in a thousand it removes what Delivery deleted.
    assertTrue(orderStatus.compareAndSwaps() < 0.5, orderStatus::toString);
    assertTrue(newOrder.compareAndSwaps() > 10, newOrder::toString);
  }

  @Test
  void shouldCountNothingUnlessAsked() {
    assertEquals(ExitStatus.DONE, tpcc(HALF_A_SECOND, "--api=native"));
    assertFalse(output.toString().contains("round trips"));
    assertEquals(ExitStatus.USAGE, tpcc("--counters", "--url=jdbc:h2:mem:t"));
    assertTrue(errors.toString().contains("--counters is for jdbc:nelumbo: URLs"));
  }

  @Test
  void shouldRefuseOtherDatabases() {
    assertEquals(ExitStatus.USAGE, tpcc("--api=native", "--url=jdbc:h2:mem:t"));
    assertTrue(errors.toString().contains("--api native is for jdbc:nelumbo: URLs"));
  }

  @Test
  void shouldRefuseForeignKeysItWouldNotCheck() {
    assertEquals(ExitStatus.USAGE, tpcc("--api=native", "--foreign-keys"));
    assertTrue(errors.toString().contains("leave out --foreign-keys"));
  }

  private RunResult until(Predicate<RunResult> enough, long millis, String... options)
      throws IOException {
    return new LongerRuns(directory.resolve("result.json"))
        .until(
            enough,
            millis,
            words -> {
              output.getBuffer().setLength(0);
              int status = tpcc(words.toArray(String[]::new));
              assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
            },
            options);
  }

  private int tpcc(String... options) {
    List<String> arguments = new ArrayList<>(List.of("tpcc", "--compact", "--seed=11"));
    arguments.add("--warmup=100ms");
    arguments.addAll(List.of(options));
    CommandLine bench = BenchmarkMain.commandLine();
    bench.setOut(new PrintWriter(output));
    bench.setErr(new PrintWriter(errors));
    return bench.execute(arguments.toArray(String[]::new));
  }
}
