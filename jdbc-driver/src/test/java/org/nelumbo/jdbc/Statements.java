package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Statements that are run once, for tests. */
public final class Statements {
  private Statements() {}

  /** Runs statements that have no result; how many rows the last one has changed. */
  public static int run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      int changed = 0;
      for (String sql : statements) {
        changed = statement.executeUpdate(sql);
      }
      return changed;
    }
  }

  /** The number that a query gives. */
  public static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      assertTrue(rows.next());
      return rows.getLong(1);
    }
  }
}
