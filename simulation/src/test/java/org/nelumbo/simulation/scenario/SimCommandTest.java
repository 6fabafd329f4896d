package org.nelumbo.simulation.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Runs {@code nelumbo sim} and {@code nelumbo sim shrink} with the arguments of a user. */
class SimCommandTest {
  private static final int OK = 0;
  private static final int FAILED = 1;
  private static final int USAGE = 2;

  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int run(String line) {
    CommandLine sim = new CommandLine(new SimCommand());
    sim.setOut(new PrintWriter(output));
    sim.setErr(new PrintWriter(errors));
    return sim.execute(line.split(" "));
  }

  @Test
  void shouldRunAScenarioWithSettings() {
    assertEquals(
        OK, run("--scenario bank --seed 3 --set transactions=7 --set clients=2"), errors::toString);
    assertTrue(output.toString().contains(" committed=14 "), output::toString);
  }

  /**
   * A scenario that injects throwables runs again in its own class loader, with the arguments of
   * this command.
   */
  @Test
  void shouldRunAScenarioThatThrowsBelowAnotherCommand() {
    CommandLine root = new CommandLine(CommandLine.Model.CommandSpec.create().name("nelumbo"));
    root.addSubcommand(new SimCommand());
    root.setOut(new PrintWriter(output));
    root.setErr(new PrintWriter(errors));
    assertEquals(
        OK,
        root.execute("sim", "--scenario", "throws", "--seed", "1", "--set", "transactions=5"),
        errors::toString);
    assertTrue(output.toString().contains("RESULT simulation=throws "), output::toString);
  }

  @Test
  void shouldRepeatScenariosUntilEnoughTransactions() {
    assertEquals(
        OK,
        run(
            "--scenario bank,throws --seed 3 --seeds 2 --transactions 100"
                + " --set transactions=5 --set clients=3"),
        errors::toString);
    String text = output.toString();
    assertEquals(
        2, text.lines().filter(l -> l.startsWith("RESULT simulation=bank ")).count(), text);
    assertEquals(
        2, text.lines().filter(l -> l.startsWith("RESULT simulation=throws ")).count(), text);
    assertTrue(text.contains("TOTAL simulation=all "), text);
    assertTrue(text.contains(" committed=120 "), text);
  }

  @Test
  void shouldPrintFailuresWithTheirSettings() {
    int status =
        run("--scenario bank --seed 3 --set transactions=7 --set step-limit=10 --fabric tcp");
    assertEquals(FAILED, status);
    String command =
        output.toString().lines().filter(l -> l.contains("./nelumbo sim ")).findAny().orElseThrow();
    for (String setting : new String[] {"transactions=7", "step-limit=10", "fabric=tcp"}) {
      assertTrue(command.contains(" --set '" + setting + "'"), command);
    }
  }

  @Test
  void shouldKeepSettingsWhenShrinking() {
    int status =
        run("shrink --scenario bank --seed 3 --tries 1 --set transactions=7 --set step-limit=10");
    assertEquals(OK, status, errors::toString);
    assertTrue(output.toString().contains(" --set 'step-limit=10'"), output::toString);
    assertTrue(output.toString().contains(" --set 'transactions=1'"), output::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--set transactions", "--set no-such-key=1", "--set clients=many"})
  void shouldRejectInvalidSettings(String setting) {
    assertEquals(USAGE, run("--scenario bank --seed 3 " + setting));
    assertEquals(USAGE, run("shrink --scenario bank --seed 3 " + setting));
  }
}
