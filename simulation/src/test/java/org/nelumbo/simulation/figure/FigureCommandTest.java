package org.nelumbo.simulation.figure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** Runs {@code nelumbo sim figure}, and compares the model with the published figures. */
@Timeout(120)
class FigureCommandTest {
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = new CommandLine(new FigureCommand());
    command.setOut(new PrintWriter(output));
    command.setErr(new PrintWriter(errors));
    return command.execute(arguments);
  }

  private double ratio(String what) {
    Matcher matcher =
        Pattern.compile("FIGURE " + Pattern.quote(what) + " .*ratio=([0-9.]+)")
            .matcher(output.toString());
    assertTrue(matcher.find(), output::toString);
    return Double.parseDouble(matcher.group(1));
  }

  /** One figure is calibrated, so it has to fit; the others show how far the model is off. */
  @Test
  void shouldMatchPublishedFigures() {
    assertEquals(0, run("lotus-2", "lotus-3", "--millis", "1"), errors::toString);
    assertEquals(1, ratio("540 at a time, M/s"), 0.05, output::toString);
    assertEquals(1, ratio("over the rate with CAS"), 0.3, output::toString);
    assertEquals(1, ratio("peak, M/s"), 0.45, output::toString);
  }

  @Test
  void shouldRefuseAnUnknownFigure() {
    assertEquals(2, run("lotus-99"));
    assertTrue(errors.toString().contains("lotus-12"), errors::toString);
  }
}
