package org.nelumbo.benchmark;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.report.RunResult;
import org.nelumbo.benchmark.report.TypeResult;
import org.nelumbo.benchmark.run.ClosedLoop;
import org.nelumbo.benchmark.run.LoopSettings;
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

  /**
   * A run that has not begun.
   *
   * @param urlForPeople the URL to report, without passwords
   */
  SingleRun(
      Database database,
      Workload workload,
      String urlForPeople,
      BenchmarkOptions options,
      BenchmarkConsole console) {
    this.database = database;
    this.workload = workload;
    this.options = options;
    this.console = console;
    Dialect dialect = database.dialect();
    this.target =
        new RunResult.Target(
            urlForPeople,
            options.api().toString(),
            database.productName(),
            database.productVersion(),
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
    return result(loadSeconds, statistics, checks);
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
    if (!options.replace) {
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

  private RunStatistics measure() throws RunStoppedException, InterruptedException {
    LoopSettings settings = options.loopSettings();
    Duration total = settings.warmup().plus(settings.duration());
    console.running(settings);
    int types = workload.transactionTypes().size();
    try (ProgressLine.Running progress = ProgressLine.running(total)) {
      return new ClosedLoop(database, workload, types, settings).run(progress);
    }
  }

  private RunResult result(double loadSeconds, RunStatistics statistics, List<CheckResult> checks) {
    List<String> names = workload.transactionTypes();
    List<TypeResult> types =
        IntStream.range(0, names.size())
            .mapToObj(i -> TypeResult.of(names.get(i), statistics.types().get(i)))
            .toList();
    List<String> remarks = new ArrayList<>(workload.remarks());
    remarks.addAll(database.dialect().notes());
    return new RunResult(
        workload.name(),
        target,
        options.terminals,
        options.seed(),
        workload.parameters(),
        loadSeconds,
        statistics.measured().toNanos() / NANOS_PER_SECOND,
        types,
        TypeResult.of("all", statistics.total()),
        workload.metrics(statistics),
        workload.costs(),
        checks,
        workload.deviations(),
        remarks);
  }
}
