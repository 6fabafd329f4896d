package org.nelumbo.benchmark.planning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.benchmark.TypedCommand.number;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.cli.ExitStatus;

@Timeout(240)
class PlanningTest {
  private final TypedCommand planning = new TypedCommand("planning");

  @TempDir private Path folder;

  @Test
  void shouldPlanStatementsOfOtherPrograms() {
    assertEquals(ExitStatus.DONE, planning.run("--warmup=0", "--runs=1"), planning::errors);
    List<String> lines = planning.lines("PLANNING");
    assertEquals(4, lines.size(), planning::output);
    for (String line : lines) {
      assertTrue(number(line, "planned") > 50, line);
      assertTrue(number(line, "parse") > 0, line);
      boolean isHibernate = line.contains("set=hibernate");
      assertEquals(isHibernate, number(line, "validate") > 0, "loaders need no validator: " + line);
      assertTrue(number(line, "optimize") > 0, line);
      assertTrue(number(line, "first_row") > number(line, "parse"), line);
    }
    assertEquals(0, number(lines.get(0), "failed"), planning::output);
    assertEquals(0, number(lines.get(2), "failed"), planning::output);
  }

  @Test
  void shouldReadFilesOfSqllogictest() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("a.test"),
            """
            statement ok
            CREATE TABLE t(a INTEGER)

            onlyif mysql
            query I nosort
            SELECT unknown
            ----
            1

            query I nosort
            SELECT a FROM t WHERE a = 1
            ----

            query I nosort
            SELECT a FROM t WHERE a = 2
            ----

            statement error
            SELECT nothing
            """);
    int status = planning.run(file.toString(), "--warmup=0", "--runs=1");
    assertEquals(ExitStatus.DONE, status, planning::errors);
    String line = planning.lines("PLANNING").getFirst();
    assertEquals(1, number(line, "planned"), "the second query shares the plan: " + line);
    assertEquals(0, number(line, "failed"), planning::output);
    assertEquals(ExitStatus.FAILED, planning.run(folder.resolve("none.test").toString()));
    assertEquals(ExitStatus.USAGE, planning.run("--runs=0"));
  }
}
