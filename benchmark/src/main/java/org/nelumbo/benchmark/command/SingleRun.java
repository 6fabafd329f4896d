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
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.report.RunResultBuilder;
import org.nelumbo.benchmark.run.FlightRecording;
import org.nelumbo.benchmark.run.Links;
import org.nelumbo.benchmark.run.LoadLoop;
import org.nelumbo.benchmark.run.LoopSettings;
import org.nelumbo.benchmark.run.PooledLinks;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.RunStoppedException;

/** One benchmark on one database, from loading to the result. */
final class SingleRun {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Database database;
  private final Workload workload;
  private final BenchmarkOptions options;
  private final BenchmarkConsole console;
  private final RunResult.Target target;
  private final RunResult.Setup setup;

  /**
   * A run that has not begun.
   *
   * @param urlForPeople the URL to report, without passwords
   * @param setup how it was started
   */
  SingleRun(
      Database database,
      Workload workload,
      String urlForPeople,
      RunResult.Setup setup,
      BenchmarkOptions options,
      BenchmarkConsole console) {
    this.database = database;
    this.workload = workload;
    this.options = options;
    this.console = console;
    this.setup = setup;
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
   * Runs it all.
   *
   * @throws TablesExistException if the database already holds such tables and may not replace them
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
    RunStatistics statistics = measure();
    if (options.check) {
      checks.addAll(shown(workload.checkAfterRun(statistics)));
    }
    return result.build(loadSeconds, statistics, findings(statistics, checks));
  }

  private List<CheckResult> shown(List<CheckResult> results) {
    console.checks(results);
    return results;
  }

  private void makeRoom() throws SQLException {
    if (database.url().inMemory()) {
      return; // a fresh name, so nothing can be there
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

  private RunStatistics measure() throws SQLException, RunStoppedException, InterruptedException {
    LoopSettings settings = options.loopSettings();
    console.running(settings);
    int types = workload.transactionTypes().size();
    try (Links links = links();
        ProgressLine.Running progress = ProgressLine.running(console.out());
        FlightRecording recording =
            options.jfr == null ? null : FlightRecording.into(options.jfr)) {
      LoadLoop loop = new LoadLoop(links, database.dialect(), workload, types, settings);
      return loop.run(recording == null ? progress : progress.and(recording));
    }
  }

  private Links links() throws SQLException {
    return options.load.pooled()
        ? new PooledLinks(database, options.load.poolSize())
        : Links.plain(database);
  }

  private RunResultBuilder.Findings findings(RunStatistics statistics, List<CheckResult> checks) {
    List<String> remarks = new ArrayList<>(workload.remarks());
    remarks.addAll(database.dialect().notes());
    return new RunResultBuilder.Findings(
        workload.transactionTypes(),
        workload.metrics(statistics),
        workload.costs(),
        checks,
        workload.deviations(),
        remarks);
  }
}
