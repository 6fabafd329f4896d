package org.nelumbo.benchmark.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.List;
import org.nelumbo.benchmark.Workload;
import org.nelumbo.benchmark.WorkloadFactory;
import org.nelumbo.benchmark.console.BenchmarkConsole;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.database.DriverFinder;
import org.nelumbo.benchmark.database.ErrorKind;
import org.nelumbo.benchmark.forked.RunPart;
import org.nelumbo.benchmark.forked.WorkerProcess;
import org.nelumbo.benchmark.report.HtmlReport;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.run.RunStoppedException;
import org.nelumbo.cli.ExitStatus;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Turns the command line of a benchmark into runs and an exit status. A single URL with one round
 * is measured in this process. Several URLs or rounds are measured in one process each, and then
 * compared.
 */
public final class BenchmarkRunner {
  private final CommandSpec command;
  private final BenchmarkOptions options;
  private final BenchmarkConsole console;

  /** Creates a runner for one parsed command line. */
  public BenchmarkRunner(CommandSpec command, BenchmarkOptions options) {
    this.command = command;
    this.options = options;
    this.console =
        new BenchmarkConsole(command.commandLine().getOut(), command.commandLine().getErr());
  }

  /** Runs the benchmark; returns one of {@link ExitStatus}. */
  public int run(WorkloadFactory factory) throws InterruptedException {
    String mistake = options.mistake();
    if (mistake != null) {
      console.error(mistake);
      return ExitStatus.USAGE;
    }
    List<DatabaseUrl> urls = options.urls();
    if (options.worker > 0) {
      return runHere(urls.getFirst(), factory);
    }
    if (urls.size() > 1 || options.rounds > 1) {
      return new SideBySideRuns(command, options, console).run(urls);
    }
    return runHere(urls.getFirst(), factory);
  }

  private int runHere(DatabaseUrl url, WorkloadFactory factory) throws InterruptedException {
    DatabaseUrl fresh = url.fresh(Long.toString(ProcessHandle.current().pid()));
    Database database;
    try {
      DriverFinder drivers = new DriverFinder(options.driverJars);
      database = Database.open(fresh, drivers, options.connectionProperties(), options.isolation);
    } catch (SQLException e) {
      console.error("could not connect to " + url + ": " + e.getMessage());
      traceIfAsked(e);
      return ExitStatus.NO_DATABASE;
    }
    try (database) {
      Workload workload = factory.create(database);
      if (options.processes > 1 && !workload.whyOneProcess().isEmpty()) {
        console.error("--processes: " + workload.whyOneProcess());
        return ExitStatus.USAGE;
      }
      SingleRun run =
          new SingleRun(
              database,
              workload,
              url.masked(),
              CommandLines.setup(command, options, url),
              CommandLines.ofWorker(command, options, url),
              options,
              console);
      return options.worker > 0 ? runPart(run) : report(run.run());
    } catch (TablesExistException e) {
      console.error(e.getMessage());
      return ExitStatus.USAGE;
    } catch (SQLException e) {
      console.error(e.getMessage() + " (SQLState " + e.getSQLState() + ")");
      traceIfAsked(e);
      return statusOf(e, database.dialect());
    } catch (UncheckedIOException e) {
      console.error(e.getMessage());
      return ExitStatus.USAGE;
    } catch (RunStoppedException e) {
      console.error(e.getMessage());
      traceIfAsked(e);
      return e.databaseLost() ? ExitStatus.NO_DATABASE : ExitStatus.FAILED;
    }
  }

  private int runPart(SingleRun run)
      throws SQLException, RunStoppedException, InterruptedException {
    RunPart part = run.runPart(this::awaitGo);
    try {
      part.write(options.workerResult);
      return ExitStatus.DONE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitGo() throws RunStoppedException {
    try {
      if (!WorkerProcess.awaitGo(command.commandLine().getOut())) {
        throw new RunStoppedException(
            "the process that started this worker has ended", null, false);
      }
    } catch (IOException e) {
      throw new RunStoppedException("the input cannot be read: " + e.getMessage(), e, false);
    }
  }

  private int report(RunResult result) {
    console.result(result);
    try {
      List<RunResult> runs = List.of(result);
      HtmlReport.Frame frame = HtmlReport.Frame.of(runs, "");
      ResultFiles.write(runs, frame, options.output.json, options.output.html);
    } catch (IOException e) {
      console.error(e.getMessage());
      return ExitStatus.USAGE;
    }
    return result.consistent().equals("false") ? ExitStatus.FAILED : ExitStatus.DONE;
  }

  private static int statusOf(SQLException e, Dialect dialect) {
    boolean lost = ErrorKind.of(e, dialect) == ErrorKind.CONNECTION_LOST;
    return lost ? ExitStatus.NO_DATABASE : ExitStatus.FAILED;
  }

  private void traceIfAsked(Throwable cause) {
    if (options.debug) {
      console.trace(cause);
    }
  }
}
