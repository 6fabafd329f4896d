package org.nelumbo.benchmark.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.benchmark.BenchmarkMain;
import org.nelumbo.benchmark.ExitStatus;
import picocli.CommandLine;

@Timeout(240)
class FootprintTest {
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  @Test
  void shouldTakeTheTimeToTheFirstRow() {
    assertEquals(
        ExitStatus.DONE, bench("startup", "--runs=1", "--url=jdbc:h2:mem:"), errors::toString);
    List<String> lines = lines("STARTUP");
    assertTrue(lines.getFirst().startsWith("STARTUP url=jdbc:h2:mem: aot_cache=none median_ms="));
    assertTrue(number(lines.getFirst(), "median_ms") > 10, lines::toString);
    boolean noted = output.toString().contains("note: no AOT cache"); // classes in folders
    assertEquals(noted ? 1 : 2, lines.size(), output::toString);
  }

  @Test
  void shouldSayWhichDatabaseCannotBeStartedAndGoOn() {
    int status = bench("startup", "--runs=1", "--url=jdbc:nobody:x,jdbc:h2:mem:");
    assertEquals(ExitStatus.FAILED, status);
    assertTrue(errors.toString().contains("error: jdbc:nobody:x: "), errors::toString);
    assertFalse(lines("STARTUP url=jdbc:h2").isEmpty());
  }

  @Test
  void shouldTellWhatRowsAndConnectionsTakeBesideAnotherDatabase() {
    String urls = "--url=jdbc:nelumbo:mem:m,jdbc:h2:mem:m";
    // so many rows that what the first of them brings into the heap, half a megabyte, matters
    // little
    assertEquals(
        ExitStatus.DONE,
        bench("memory", "--rows=20000", "--connections=5", urls),
        errors::toString);
    List<String> lines = lines("FOOTPRINT");
    assertEquals(2, lines.size(), output::toString);
    String ours = lines.getFirst();
    assertTrue(number(ours, "row_pool") > 100, ours);
    assertTrue(number(ours, "row_heap") < 100, ours);
    String h2 = lines.getLast();
    assertEquals(0, number(h2, "row_pool"));
    assertTrue(number(h2, "row_heap") > 100, h2);
  }

  @Test
  void shouldGiveADatabaseNoDriverOfAnother() throws SQLException {
    String h2 = ProbePath.of("jdbc:h2:mem:");
    assertTrue(h2.contains("h2") && !h2.contains("hsqldb") && !h2.contains("planner"), h2);
    String ours = ProbePath.of("jdbc:nelumbo:mem:");
    assertTrue(ours.contains("planner"), ours);
    assertFalse(ours.contains("hsqldb-2"), ours);
  }

  private List<String> lines(String start) {
    return output.toString().lines().filter(line -> line.startsWith(start)).toList();
  }

  private static double number(String line, String key) {
    String from = line.substring(line.indexOf(" " + key + "=") + key.length() + 2);
    int end = from.indexOf(' ');
    return Double.parseDouble(end < 0 ? from : from.substring(0, end));
  }

  private int bench(String... arguments) {
    CommandLine bench = BenchmarkMain.commandLine();
    bench.setOut(new PrintWriter(output));
    bench.setErr(new PrintWriter(errors));
    return bench.execute(arguments);
  }
}
