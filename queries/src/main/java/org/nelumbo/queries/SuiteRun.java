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
 * Runs queries on one database, each some times as a text that has not been prepared.
 *
 * @param runs that are measured; one more comes before them
 * @param seconds after which a query is given up
 * @param explain what is put before a query to see its plan; null: plans are not shown
 */
record SuiteRun(int runs, int seconds, String explain) {
  /**
   * How a query went.
   *
   * @param millis median of the runs; the time of the failure, if there was one
   * @param result null if it failed
   * @param failure null if it did not
   */
  record Measured(double millis, QueryResult result, String failure) {}

  /** Runs all queries, and tells of each one when it has been run. */
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
