package org.nelumbo.benchmark.planning;

import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import org.nelumbo.cli.ExitStatus;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.frontend.PlanTimes;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code nelumbo bench planning}. It runs each statement of a set once in a new
 * database, and prints the mean time and allocated bytes of the stages from text to first row.
 */
@Command(name = "planning", mixinStandardHelpOptions = true, sortOptions = false)
final class PlanningCommand implements Callable<Integer> {
  private static final double NANOS_PER_MICRO = 1e3;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "SET",
      defaultValue = "hibernate,benchbase",
      split = ",",
      description =
          "Statements: hibernate, benchbase, a file in the format of sqllogictest, or JAR!ENTRY"
              + " (default: ${DEFAULT-VALUE}).")
  private List<String> sets;

  @Option(
      names = "--statements",
      paramLabel = "N",
      defaultValue = "500",
      description = "Statements of a set, from its beginning (default: ${DEFAULT-VALUE}).")
  private int statements;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      defaultValue = "100",
      description = "Runs of a set before the measured ones (default: ${DEFAULT-VALUE}).")
  private int warmup;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "11",
      description =
          "Measured runs; the median of each statement counts (default: ${DEFAULT-VALUE}).")
  private int runs;

  @Override
  public Integer call() {
    if (statements < 1 || warmup < 0 || runs < 1) {
      throw new ParameterException(
          spec.commandLine(), "--statements and --runs must be at least 1, --warmup at least 0");
    }
    int status = ExitStatus.DONE;
    for (String set : sets) {
      try {
        measure(StatementSet.of(set, statements));
      } catch (IOException | SQLException | NelumboException e) {
        spec.commandLine().getErr().println("error: " + set + ": " + e.getMessage());
        status = ExitStatus.FAILED;
      }
    }
    return status;
  }

  private void measure(StatementSet set) throws SQLException {
    PlanningRun run = new PlanningRun(set);
    for (int i = 0; i < warmup; i++) {
      run.measureTimes(new StageCosts(), new StageCosts());
    }
    StageCosts times = new StageCosts();
    StageCosts bytes = new StageCosts();
    StageCosts firstRowBytes = new StageCosts();
    for (int i = 0; i < runs; i++) {
      run.measureTimes(times, firstRowBytes);
      run.measureBytes(bytes);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(
        line(set, "us", times, stage -> times.of(stage) / NANOS_PER_MICRO)
            + String.format(Locale.ROOT, " first_row=%.1f", times.ofFirstRow() / NANOS_PER_MICRO)
            + " failed="
            + run.failures());
    out.println(
        line(set, "bytes", bytes, bytes::of)
            + String.format(Locale.ROOT, " first_row=%.0f", firstRowBytes.ofFirstRow()));
    if (run.failures() > 0) {
      out.println("note: the first failure is " + run.firstFailure());
    }
    out.flush();
  }

  private static String line(
      StatementSet set, String unit, StageCosts costs, ToDoubleFunction<PlanTimes.Stage> cost) {
    String format = unit.equals("us") ? " %s=%.1f" : " %s=%.0f";
    StringBuilder line = new StringBuilder("PLANNING set=").append(set.name());
    line.append(" planned=").append(costs.statements()).append(" unit=").append(unit);
    double total = 0;
    for (PlanTimes.Stage stage : PlanTimes.Stage.values()) {
      String name = stage.name().toLowerCase(Locale.ROOT);
      line.append(String.format(Locale.ROOT, format, name, cost.applyAsDouble(stage)));
      total += cost.applyAsDouble(stage);
    }
    return line.append(String.format(Locale.ROOT, format, "planning", total)).toString();
  }
}
