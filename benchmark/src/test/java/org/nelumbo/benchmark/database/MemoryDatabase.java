package org.nelumbo.benchmark.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/** A serializable database in memory, with queries and updates for tests. */
public class MemoryDatabase implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Database database;

  /**
   * Opens an empty database.
   *
   * @param url URL in which {@code NAME} stands for the name of the database
   */
  public MemoryDatabase(String url) throws SQLException {
    database =
        Database.open(
            new DatabaseUrl(url.replace("NAME", "memory" + COUNT.incrementAndGet())),
            new DriverFinder(List.of()),
            new Properties(),
            IsolationLevel.SERIALIZABLE);
  }

  public final Database database() {
    return database;
  }

  /** Returns the rows of a query, one line each, with a bar after each value. */
  public final List<String> rows(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(result.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  /** Returns the number that a query yields. */
  public final long number(String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Changes rows, commits, and returns the update count. */
  public final int change(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      int changed = statement.executeUpdate(sql);
      connection.commit();
      return changed;
    }
  }

  @Override
  public final void close() throws SQLException {
    database.close();
  }
}
