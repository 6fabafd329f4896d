package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs single statements, for tests. */
public final class Statements {
  private Statements() {}

  /** Runs statements without a result set and returns the update count of the last one. */
  public static int run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int changed = 0;
      for (String sql : statements) {
        changed = statement.executeUpdate(sql);
      }
      return changed;
    }
  }

  /** Returns the number that a query yields. */
  public static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertTrue(rows.next());
      return rows.getLong(1);
    }
  }

  /** Returns the text that a query yields. */
  public static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }
}
