package org.nelumbo.benchmark.footprint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.benchmark.TypedCommand.number;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.cli.ExitStatus;

@Timeout(240)
class FootprintTest {
  private final TypedCommand startup = new TypedCommand("startup");
  private final TypedCommand suite = new TypedCommand("suite");
  private final TypedCommand memory = new TypedCommand("memory");

  @Test
  void shouldMeasureTimeToFirstRow() {
    assertEquals(ExitStatus.DONE, startup.run("--runs=1", "--url=jdbc:h2:mem:"), startup::errors);
    List<String> lines = startup.lines("STARTUP");
    assertTrue(lines.getFirst().startsWith("STARTUP url=jdbc:h2:mem: aot_cache=none median_ms="));
    assertTrue(number(lines.getFirst(), "median_ms") > 10, lines::toString);
    boolean noted = startup.output().contains("note: no AOT cache"); // when classes are in folders
    assertEquals(noted ? 1 : 2, lines.size(), startup::output);
  }

  @Test
  void shouldProfileFirstRow() {
    String options = "--url=jdbc:nelumbo:mem:,jdbc:h2:mem:";
    assertEquals(ExitStatus.DONE, startup.run("--profile", options), startup::errors);
    List<String> times = startup.lines("PROFILE");
    assertEquals(2, times.size(), startup::output);
    assertTrue(number(times.getFirst(), "classes") > 500, times::toString);
    assertTrue(number(times.getFirst(), "threads") > 1, times::toString);
    List<String> classes = startup.lines("CLASSES url=jdbc:nelumbo:mem:");
    assertTrue(
        classes.stream().anyMatch(line -> line.contains("group=org.nelumbo.")), classes::toString);
    assertTrue(startup.output().contains("group=org.h2."), startup::output);
  }

  @Test
  void shouldMeasureTestSuitesOfTwoDatabases() {
    String urls = "--url=jdbc:nelumbo:mem:,jdbc:h2:mem:";
    int status =
        suite.run("--databases=2", "--tables=3", "--rows=4", "--queries=16", "--runs=1", urls);
    assertEquals(ExitStatus.DONE, status, suite::errors);
    List<String> lines = suite.lines("SUITE");
    assertEquals(2, lines.size(), suite::output);
    assertTrue(lines.getFirst().startsWith("SUITE url=jdbc:nelumbo:mem: databases=2 runs=1 "));
    assertTrue(number(lines.getFirst(), "query_ms") > 0, lines::toString);
    assertEquals(ExitStatus.USAGE, suite.run("--tables=1"), suite::errors);
  }

  @Test
  void shouldReportFailedStartAndContinue() {
    int status = startup.run("--runs=1", "--url=jdbc:nobody:x,jdbc:h2:mem:");
    assertEquals(ExitStatus.FAILED, status);
    assertTrue(startup.errors().contains("error: jdbc:nobody:x: "), startup::errors);
    assertFalse(startup.lines("STARTUP url=jdbc:h2").isEmpty());
  }

  @Test
  void shouldMeasureRowMemoryOfTwoDatabases() {
    String urls = "--url=jdbc:nelumbo:mem:m,jdbc:h2:mem:m";
    // so many rows that the half megabyte that the first row adds to the heap hardly matters
    assertEquals(
        ExitStatus.DONE, memory.run("--rows=20000", "--connections=5", urls), memory::errors);
    List<String> lines = memory.lines("FOOTPRINT");
    assertEquals(2, lines.size(), memory::output);
    String ours = lines.getFirst();
    assertTrue(number(ours, "row_pool") > 100, ours);
    assertTrue(number(ours, "row_heap") < 100, ours);
    String h2 = lines.getLast();
    assertEquals(0, number(h2, "row_pool"));
    assertTrue(number(h2, "row_heap") > 100, h2);
    List<String> resident = memory.lines("RESIDENT");
    assertEquals(2, resident.size(), memory::output);
    for (String each : resident) {
      assertTrue(number(each, "resident_kb") > 10_000, each);
    }
  }

  @Test
  void shouldExcludeDriversOfOtherDatabases() throws SQLException {
    String h2 = ProbePath.of("jdbc:h2:mem:");
    assertTrue(h2.contains("h2") && !h2.contains("hsqldb") && !h2.contains("planner"), h2);
    String ours = ProbePath.of("jdbc:nelumbo:mem:");
    assertTrue(ours.contains("planner"), ours);
    assertFalse(ours.contains("hsqldb-2"), ours);
  }
}
