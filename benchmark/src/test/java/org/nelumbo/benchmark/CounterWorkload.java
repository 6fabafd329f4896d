package org.nelumbo.benchmark;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.ConditionChecker;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.report.Metric;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.Terminal;

/** A workload with one row for each terminal, which the terminal increments. */
record CounterWorkload(Database database, boolean broken, boolean badSql, boolean hang)
    implements Workload {
  @Override
  public String name() {
    return "counter";
  }

  @Override
  public List<String> transactionTypes() {
    return List.of("Count");
  }

  @Override
  public Map<String, String> parameters() {
    return Map.of("size", "1");
  }

  @Override
  public List<String> tables() {
    return List.of("counter");
  }

  @Override
  public void load(LoadProgress progress) throws SQLException {
    while (hang) {
      LockSupport.park();
    }
    database.executeAll(
        List.of(
            "CREATE TABLE counter (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)",
            "INSERT INTO counter VALUES (0, 0)",
            "INSERT INTO counter VALUES (1, 0)"));
  }

  @Override
  public Terminal open(Connection connection, int index, int incarnation) throws SQLException {
    String sql = badSql ? "UPDATE nothing" : "UPDATE counter SET n = n + 1 WHERE id = " + index;
    PreparedStatement update = connection.prepareStatement(sql);
    return new Terminal() {
      @Override
      public int draw() {
        return 0;
      }

      @Override
      public Outcome execute() throws SQLException {
        update.executeUpdate();
        connection.commit();
        return Outcome.COMMITTED;
      }

      @Override
      public void close() throws SQLException {
        update.close();
      }
    };
  }

  @Override
  public List<CheckResult> checkAfterLoad() throws SQLException {
    try (Connection connection = database.connect()) {
      String query = "SELECT id, n FROM counter WHERE n <> 0";
      return List.of(ConditionChecker.check(connection, "all zero", "after load", query));
    }
  }

  @Override
  public List<CheckResult> checkAfterRun(RunStatistics statistics) throws SQLException {
    long told = statistics.total().committedInAll() + (broken ? 1 : 0);
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT SUM(n) FROM counter")) {
      row.next();
      long there = row.getLong(1);
      return List.of(
          there == told
              ? CheckResult.passed("ledger", "after run")
              : CheckResult.failed("ledger", "after run", "told=" + told + " there=" + there));
    }
  }

  @Override
  public List<Metric> metrics(RunStatistics statistics) {
    return List.of(new Metric("counts", "counts", statistics.total().committed()));
  }

  @Override
  public List<String> remarks() {
    return List.of("a benchmark to test with");
  }
}
