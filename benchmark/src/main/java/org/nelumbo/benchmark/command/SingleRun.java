package org.nelumbo.benchmark.command;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.Workload;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.console.BenchmarkConsole;
import org.nelumbo.benchmark.console.ProgressLine;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.forked.RunPart;
import org.nelumbo.benchmark.report.ProcessResult;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.report.RunResultBuilder;
import org.nelumbo.benchmark.run.FlightRecording;
import org.nelumbo.benchmark.run.Links;
import org.nelumbo.benchmark.run.LoadLoop;
import org.nelumbo.benchmark.run.LoopSettings;
import org.nelumbo.benchmark.run.PooledLinks;
import org.nelumbo.benchmark.run.RunProgress;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.RunStoppedException;
import org.nelumbo.benchmark.run.StartLine;

/** One benchmark on one database, from loading to the result. */
final class SingleRun {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Database database;
  private final Workload workload;
  private final BenchmarkOptions options;
  private final BenchmarkConsole console;
  private final RunResult.Target target;
  private final RunResult.Setup setup;

  private final List<String> words;

  /**
   * Creates a run that has not begun.
   *
   * @param urlForPeople the URL to report, without passwords
   * @param setup description of how the run was started
   * @param words command line of the other processes of the run
   */
  SingleRun(
      Database database,
      Workload workload,
      String urlForPeople,
      RunResult.Setup setup,
      List<String> words,
      BenchmarkOptions options,
      BenchmarkConsole console) {
    this.database = database;
    this.workload = workload;
    this.options = options;
    this.console = console;
    this.setup = setup;
    this.words = words;
    Dialect dialect = database.dialect();
    this.target =
        new RunResult.Target(
            urlForPeople,
            options.api().toString(),
            database.productName(),
            database.productVersion(),
            database.driverName(),
            options.isolation.optionName(),
            dialect.meaning(options.isolation));
  }

  /**
   * Runs the benchmark from loading to the checks after the run.
   *
   * @throws TablesExistException if the database already has such tables and they may not be
   *     replaced
   */
  RunResult run() throws SQLException, RunStoppedException, InterruptedException {
    console.target(workload.name(), target);
    RunResultBuilder result =
        new RunResultBuilder(
            workload.name(), target, setup, workload.parameters(), options.loopSettings());
    makeRoom();
    double loadSeconds = load();
    List<CheckResult> checks = new ArrayList<>();
    if (options.check) {
      checks.addAll(shown(workload.checkAfterLoad()));
    }
    List<RunPart> parts = measure();
    parts.stream().skip(1).forEach(part -> workload.add(part.tally()));
    RunStatistics statistics = RunStatistics.sum(parts.stream().map(RunPart::statistics).toList());
    if (options.check) {
      checks.addAll(shown(workload.checkAfterRun(statistics)));
    }
    return result.build(loadSeconds, statistics, findings(parts, statistics, checks));
  }

  /**
   * Runs the terminals of one of several processes, on tables that another process has loaded.
   *
   * @param line where the process waits for the other processes
   */
  RunPart runPart(StartLine line) throws SQLException, RunStoppedException, InterruptedException {
    return measure(RunProgress.NONE, line);
  }

  private List<CheckResult> shown(List<CheckResult> results) {
    console.checks(results);
    return results;
  }

  private void makeRoom() throws SQLException {
    if (database.url().inMemory()) {
      return; // the name is new, so the database is empty
    }
    List<String> existing = workload.tables().stream().filter(this::exists).toList();
    if (existing.isEmpty()) {
      return;
    }
    if (!options.output.replace) {
      throw new TablesExistException(existing);
    }
    database.executeAll(existing.reversed().stream().map(t -> "DROP TABLE " + t).toList());
  }

  private boolean exists(String table) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT 1 FROM " + table + " WHERE 1 = 0").close();
      connection.rollback();
      return true;
    } catch (SQLException noSuchTable) {
      return false;
    }
  }

  private double load() throws SQLException, InterruptedException {
    long begin = System.nanoTime();
    try (ProgressLine.Loading progress = ProgressLine.loading()) {
      workload.load(progress);
    }
    database.executeAll(database.dialect().afterLoad());
    double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
    console.loaded(seconds);
    return seconds;
  }

  /** The part of this process is first. */
  private List<RunPart> measure() throws SQLException, RunStoppedException, InterruptedException {
    console.running(options.loopSettings());
    try (Workers workers = Workers.start(options, words);
        ProgressLine.Running progress = ProgressLine.running(console.out());
        FlightRecording recording =
            options.jfr == null ? null : FlightRecording.into(options.jfr)) {
      List<RunPart> parts = new ArrayList<>();
      parts.add(measure(recording == null ? progress : progress.and(recording), workers));
      parts.addAll(workers.results());
      return parts;
    }
  }

  private RunPart measure(RunProgress progress, StartLine line)
      throws SQLException, RunStoppedException, InterruptedException {
    LoopSettings settings = options.ownLoopSettings();
    int types = workload.transactionTypes().size();
    try (Links links = links()) {
      LoadLoop loop = new LoadLoop(links, database.dialect(), workload, types, settings);
      LockUsage before = LockUsage.of(database);
      RunStatistics statistics = loop.run(progress, line);
      LockUsage used = LockUsage.of(database).since(before);
      return new RunPart(
          settings.terminals(), statistics, used.local(), used.remote(), workload.tally());
    }
  }

  private Links links() throws SQLException {
    return options.load.pooled()
        ? new PooledLinks(database, options.load.poolSize())
        : Links.plain(database);
  }

  private RunResultBuilder.Findings findings(
      List<RunPart> parts, RunStatistics statistics, List<CheckResult> checks) {
    List<String> remarks = new ArrayList<>(workload.remarks());
    remarks.addAll(database.dialect().notes());
    return new RunResultBuilder.Findings(
        workload.transactionTypes(),
        workload.metrics(statistics),
        workload.costs(),
        checks,
        workload.deviations(),
        remarks,
        parts.size() == 1 ? List.of() : processes(parts));
  }

  private static List<ProcessResult> processes(List<RunPart> parts) {
    List<ProcessResult> processes = new ArrayList<>();
    for (RunPart part : parts) {
      processes.add(
          ProcessResult.of(
              processes.size() + 1,
              part.terminals(),
              part.statistics(),
              part.localLocks(),
              part.remoteLocks()));
    }
    return processes;
  }
}
