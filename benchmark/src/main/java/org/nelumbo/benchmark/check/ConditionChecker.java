package org.nelumbo.benchmark.check;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Runs queries that return the rows that violate a condition. */
public final class ConditionChecker {
  /** Maximum number of offending rows that are counted. */
  public static final int ROWS_MAX = 10_000;

  private static final int SAMPLE_ROWS = 5;

  private ConditionChecker() {}

  /** Checks one condition in a transaction of its own. */
  public static CheckResult check(Connection connection, String name, String moment, String query)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> sample = new ArrayList<>();
      long count = 0;
      while (count < ROWS_MAX && rows.next()) {
        count++;
        if (sample.size() < SAMPLE_ROWS) {
          sample.add(describe(rows));
        }
      }
      return new CheckResult(name, moment, count, List.copyOf(sample));
    } catch (SQLException e) {
      throw new SQLException("condition " + name + ": " + e.getMessage(), e.getSQLState(), e);
    } finally {
      connection.rollback();
    }
  }

  private static String describe(ResultSet row) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    StringJoiner text = new StringJoiner(" ");
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      text.add(
          columns.getColumnLabel(i).toLowerCase(java.util.Locale.ROOT) + "=" + row.getObject(i));
    }
    return text.toString();
  }
}
