package org.nelumbo.benchmark.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;

/** A serializable database in memory, and what tests ask of it. */
public class MemoryDatabase implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Database database;

  /**
   * Opens an empty database.
   *
   * @param url with {@code NAME} where the name of the database belongs
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

  /** The rows of a query, a line each: values with a bar behind each. */
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

  /** The number a query gives. */
  public final long number(String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Changes rows and commits; returns how many. */
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
