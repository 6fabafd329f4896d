package org.nelumbo.simulation.scale;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Runs {@code nelumbo sim scale} with the arguments of a user. */
@Timeout(120)
class ScaleCommandTest {
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int run(String line) {
    CommandLine command = new CommandLine(new ScaleCommand());
    command.setOut(new PrintWriter(output));
    command.setErr(new PrintWriter(errors));
    return command.execute(line.split(" "));
  }

  private List<String> lines(String part) {
    return output.toString().lines().filter(line -> line.contains(part)).toList();
  }

  private static double column(String line, int number) {
    return Double.parseDouble(line.strip().split(" +", -1)[number]);
  }

  @Test
  void shouldCountVerbsByMethod() {
    assertEquals(
        0, run("--compute-nodes 2 --homes 200 --millis 1 --verbs"), () -> errors + "" + output);
    String deposit = lines(" deposit ").getFirst();
    double[] sums = new double[6];
    boolean isOfDeposit = false;
    for (String line : output.toString().lines().toList()) {
      if (!line.startsWith("      ")) {
        isOfDeposit = line.contains(" deposit ");
      } else if (isOfDeposit) {
        for (int column = 1; column < sums.length; column++) {
          sums[column] += column(line, column);
        }
      }
    }
    for (int column = 1; column < sums.length; column++) {
      double sum = column(deposit, column);
      assertEquals(
          sum, sums[column], 0.05 + 0.05 * sum, output::toString); // rare methods are left out
    }
    assertEquals(0, column(deposit, 4), 0.05, deposit); // timestamps are not drawn from the pool
    assertTrue(lines("CellWriter.").size() > 3, output::toString);
    assertEquals(3, lines("card of node").size(), output::toString);
  }

  @Test
  void shouldWriteThreeTimesWithThreeCopies() {
    String options = " --compute-nodes 2 --homes 200 --millis 1 --verbs";
    assertEquals(0, run("--copies 1" + options), errors::toString);
    double once = column(lines(" deposit ").getFirst(), 2);
    output.getBuffer().setLength(0);
    assertEquals(0, run("--copies 3" + options), () -> errors + "" + output);
    double thrice = column(lines(" deposit ").getFirst(), 2);
    assertTrue(thrice >= 2.5 * once, output::toString);
  }

  /** No word of the pool is written by every commit. */
  @Test
  void shouldCommitMoreOnMoreComputeNodes() {
    assertEquals(
        0,
        run("--mix smallbank,tatp --compute-nodes 3,9 --homes 4000 --millis 1"),
        () -> errors + "" + output);
    for (String mix : List.of("smallbank", "tatp")) {
      double three = column(lines(mix).getFirst(), 3);
      double nine = column(lines(mix).getLast(), 3);
      assertTrue(nine > 2.3 * three, output::toString);
    }
  }

  /** Entries are added under the locks of leaves, and timestamps are not drawn from the pool. */
  @Test
  void shouldCommitWithoutAtomics() {
    assertEquals(
        0,
        run("--mix tpcc --compute-nodes 3 --homes 60 --millis 3 --verbs"),
        () -> errors + "" + output);
    String newOrder = lines(" new order ").getFirst();
    String payment = lines(" payment ").getFirst();
    assertTrue(column(newOrder, 4) + column(newOrder, 5) < 1, output::toString);
    assertTrue(column(payment, 3) + column(payment, 4) < 0.25, output::toString);
  }

  @Test
  void shouldTakeTimeOnProcessors() {
    String options = "--compute-nodes 1 --homes 200 --millis 1 ";
    assertEquals(0, run(options + "--clients 4"), errors::toString);
    double free = column(lines("smallbank").getFirst(), 3);
    output.getBuffer().setLength(0);
    assertEquals(0, run(options + "--threads 2 --coroutines 2"), () -> errors + "" + output);
    String line = lines("smallbank").getFirst();
    assertTrue(column(line, 3) < 0.8 * free, line + " free=" + free);
    double busy = column(line, 10);
    assertTrue(busy > 50 && busy <= 100, line);
  }

  @Test
  void shouldReadNoRecordsFromTheRecordCache() {
    String options = "--compute-nodes 1 --homes 200 --millis 1 --verbs";
    assertEquals(0, run(options + " --record-cache 0"), errors::toString);
    double bytes = column(lines(" balance ").getFirst(), 5);
    output.getBuffer().setLength(0);
    assertEquals(0, run(options), errors::toString);
    String cached = lines(" balance ").getFirst();
    assertTrue(column(cached, 5) < bytes / 2, cached + " bytes=" + bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--copies 4",
        "--copies 0",
        "--clients 3 --threads 2",
        "--threads 0",
        "--threads 2 --coroutines 0",
        "--homes-from -1",
        "--record-cache much",
        "--set cpu.past=1us",
        "--set cpu.post=soon"
      })
  void shouldRefuse(String options) {
    assertEquals(2, run("--compute-nodes 1 --millis 1 " + options), output::toString);
    assertTrue(!errors.toString().isBlank());
  }
}
