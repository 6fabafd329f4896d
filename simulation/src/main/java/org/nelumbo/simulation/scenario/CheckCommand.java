package org.nelumbo.simulation.scenario;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.nelumbo.checker.HistoryChecker;
import org.nelumbo.checker.ReferenceMachine;
import org.nelumbo.checker.Verdict;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo sim check}: checks a history in a file, or one that the reference machine makes.
 * Exit status 0 if it is valid, 1 if not, 2 for wrong usage.
 */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Checks a recorded history: strict serializability, snapshot isolation.",
      "Its format is described in docs/internals/checkers.md."
    })
public final class CheckCommand implements Callable<Integer> {
  private static final int OPERATIONS_MAX = 6;
  private static final int KEYS = 40;
  private static final double NANOS_PER_SECOND = 1e9;

  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "the history")
  private Path file;

  @Option(
      names = "--generate",
      paramLabel = "N",
      description = "instead of a file: N transactions of a machine that is right")
  private int generate;

  @Option(names = "--rows", description = "they use rows that come and go; lists otherwise")
  private boolean rows;

  @Option(
      names = "--snapshot",
      paramLabel = "PERCENT",
      description = "how many of them are snapshot transactions (default: ${DEFAULT-VALUE})",
      defaultValue = "50")
  private int snapshot;

  @Option(
      names = "--sessions",
      paramLabel = "N",
      description = "how many clients they have (default: ${DEFAULT-VALUE})",
      defaultValue = "32")
  private int sessions;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "of the machine (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private long seed;

  @Override
  public Integer call() throws IOException {
    History history = history();
    long start = System.nanoTime();
    Verdict verdict = HistoryChecker.check(history);
    double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
    PrintWriter out = spec.commandLine().getOut();
    out.println(verdict);
    out.printf(
        Locale.ROOT,
        "RESULT check transactions=%d operations=%d seconds=%.3f valid=%b%n",
        history.size(),
        history.operations(),
        seconds,
        verdict.isValid());
    out.flush();
    return verdict.isValid() ? 0 : 1;
  }

  private History history() throws IOException {
    if ((file == null) == (generate <= 0)) {
      throw new ParameterException(spec.commandLine(), "give a FILE or --generate N");
    }
    if (file == null) {
      return new ReferenceMachine(
              new ReferenceMachine.Plan(
                  sessions, generate, KEYS, OPERATIONS_MAX, snapshot, 1, rows, false),
              seed)
          .run();
    }
    HistoryParser parser = new HistoryParser();
    try (Stream<String> lines = Files.lines(file)) {
      lines.forEach(parser::line);
      return parser.history();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), file + ": " + e.getMessage(), e);
    }
  }
}
