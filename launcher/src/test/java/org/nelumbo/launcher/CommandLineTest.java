package org.nelumbo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.cli.Run;

/** The command line as scripts use it: arguments and input, output and exit status. */
class CommandLineTest {
  private static final String H2 = "jdbc:h2:mem:";

  @Test
  void shouldRunStatements() throws Exception {
    Run run = Run.of(Main.class, "", "sql", H2, "-e", "VALUES 40 + 2", "-e", "VALUES 'twice'");
    assertEquals(0, run.status(), run::all);
    assertTrue(run.out().contains("42") && run.out().contains("twice"), run::all);
  }

  @Test
  void shouldRunItsInputAsAScript() throws Exception {
    Run run = Run.of(Main.class, "VALUES 1 + 1;\nVALUES\n 'two lines';\n", "sql", H2);
    assertEquals(0, run.status(), run::all);
    assertTrue(run.out().contains("two lines"), run::all);
  }

  @Test
  void shouldReportErrorWithoutStackTrace() throws Exception {
    Run run = Run.of(Main.class, "", "sql", H2, "-e", "SELECT * FROM nosuch");
    assertEquals(1, run.status(), run::all);
    assertTrue(run.err().contains("NOSUCH"), run::all);
    assertFalse(run.err().contains("\tat "), run::all);
  }

  @Test
  void shouldPassOptionsToSqlline() throws Exception {
    Run run =
        Run.of(Main.class, "", "sql", H2, "--outputformat=csv", "--silent=true", "-e", "VALUES 7");
    assertEquals("C1\n7\n", run.out(), run::all);
  }

  @Test
  void shouldReportFailedConnection() throws Exception {
    Run run = Run.of(Main.class, "", "sql", "jdbc:nosuch:x");
    assertEquals(3, run.status(), run::all);
    assertEquals(1, run.err().lines().count(), run::all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nosuch", "bench", "bench nosuch", "sql jdbc:h2:mem: --nosuch"})
  void shouldCallWrongUsageTwo(String line) throws Exception {
    String[] arguments = line.isEmpty() ? new String[0] : line.split(" ", -1);
    assertEquals(2, Run.of(Main.class, "", arguments).status());
  }

  @Test
  void shouldListEveryCommandInTheScriptsHelp() throws IOException {
    String script = Files.readString(Path.of("../nelumbo"));
    assertTrue(script.contains("\n  java "), "a command of the script alone");
    for (String command : Main.commandLine().getSubcommands().keySet()) {
      assertTrue(script.contains("\n  " + command + " "), () -> "./nelumbo help lacks " + command);
    }
  }

  @Test
  void shouldBeMainClassStartedByScript() throws IOException {
    List<String> starts =
        Files.readAllLines(Path.of("../nelumbo")).stream()
            .filter(line -> line.contains("$JAVA_HOME/bin/java") && line.contains("-cp"))
            .toList();
    assertEquals(2, starts.size(), "once to train the AOT cache, once to run");
    for (String line : starts) {
      assertTrue(line.contains(" " + Main.class.getName() + " "), line);
    }
  }
}
