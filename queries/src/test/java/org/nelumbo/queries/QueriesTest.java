package org.nelumbo.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine;

/** The command with the arguments of a user, on little data. */
@Timeout(120)
class QueriesTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = new CommandLine(new QueriesBenchmark().newCommand());
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  @Test
  void shouldAgreeWithH2() {
    int status =
        run(
            "tpch",
            "--scale=0.01",
            "--runs=1",
            "--explain",
            "--only=Q1,Q3,Q5,Q6,Q12,Q13,Q20,Q22",
            "--url=jdbc:nelumbo:mem:q|jdbc:h2:mem:q");
    assertEquals(ExitStatus.DONE, status, () -> out + "\n" + err);
    assertEquals(10, out.toString().lines().count(), out::toString);
    assertEquals(8, out.toString().lines().filter(line -> line.endsWith("| equal |")).count());
    assertTrue(err.toString().contains("IndexRangeScan(LINEITEM"), err::toString);
  }

  @Test
  void shouldRefuseWrongOptions() {
    assertEquals(ExitStatus.USAGE, run("tpch", "--runs=0"));
    assertEquals(ExitStatus.USAGE, run("ch", "--scale=0.5"));
    assertEquals(ExitStatus.USAGE, run("tpch", "--scale=0.001"));
    assertEquals(ExitStatus.USAGE, run("tpcx"));
  }

  @Test
  void shouldReportUrlWithoutDriver() {
    assertEquals(ExitStatus.NO_DATABASE, run("tpch", "--url=jdbc:nobody:x"));
    assertTrue(err.toString().contains("no JDBC driver accepts"), err::toString);
  }
}
