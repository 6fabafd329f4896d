package org.nelumbo.queries;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;

/**
 * Runs queries on one database, each several times as an unprepared text.
 *
 * @param runs number of measured runs, which follow one that is not measured
 * @param seconds timeout of a query
 * @param explain text before a query that shows its plan, or null to show no plans
 */
record SuiteRun(int runs, int seconds, String explain) {
  /**
   * The measurement of a query.
   *
   * @param millis median of the runs, or the time of the failed run
   * @param result the result, or null if the query failed
   * @param failure the message of the error, or null if the query succeeded
   */
  record Measured(double millis, QueryResult result, String failure) {}

  /** Runs all queries, and reports each one after its runs. */
  Map<String, Measured> run(
      Database database, SqlResource queries, List<String> names, Consumer<String> progress)
      throws SQLException {
    Map<String, Measured> all = new LinkedHashMap<>();
    try (Connection connection = database.connectToRead()) {
      for (String name : names) {
        if (explain != null) {
          showPlan(connection, queries.statement(name), progress);
        }
        Measured measured = measure(connection, queries.statement(name));
        all.put(name, measured);
        progress.accept(
            "%s %s: %s"
                .formatted(
                    database.productName(),
                    name,
                    measured.failure == null
                        ? "%.1f ms".formatted(measured.millis)
                        : measured.failure));
      }
    }
    return all;
  }

  private void showPlan(Connection connection, String query, Consumer<String> out)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(explain + " " + query)) {
      while (rows.next()) {
        out.accept(rows.getString(1));
      }
    }
    connection.commit();
  }

  private Measured measure(Connection connection, String query) throws SQLException {
    double[] millis = new double[runs];
    List<Object[]> result = List.of();
    for (int run = -1; run < runs; run++) {
      long begun = System.nanoTime();
      try (Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(seconds);
        try (ResultSet rows = statement.executeQuery(query)) {
          result = QueryResult.read(rows);
        }
        connection.commit();
      } catch (SQLException e) {
        connection.rollback();
        return new Measured((System.nanoTime() - begun) / 1e6, null, e.getMessage());
      }
      if (run >= 0) {
        millis[run] = (System.nanoTime() - begun) / 1e6;
      }
    }
    Arrays.sort(millis);
    return new Measured(millis[runs / 2], QueryResult.of(result), null);
  }
}
