package org.nelumbo.tatp;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.DriverFinder;
import org.nelumbo.benchmark.database.IsolationLevel;
import org.nelumbo.tatp.load.Loaded;
import org.nelumbo.tatp.load.Loader;

/** A small register in memory. */
public final class TestRegister implements AutoCloseable {
  public static final int SUBSCRIBERS = 200;
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Database database;
  private final Loaded loaded;

  /**
   * Loads the subscribers.
   *
   * @param url with {@code NAME} where the name of the database belongs
   */
  public TestRegister(String url) throws SQLException, InterruptedException {
    database =
        Database.open(
            new DatabaseUrl(url.replace("NAME", "register" + COUNT.incrementAndGet())),
            new DriverFinder(List.of()),
            new Properties(),
            IsolationLevel.SERIALIZABLE);
    loaded = new Loader(database, SUBSCRIBERS, 42).load(LoadProgress.NONE);
  }

  public Database database() {
    return database;
  }

  public Loaded loaded() {
    return loaded;
  }

  /** The rows of a query, a line each. */
  public List<String> rows(String query) throws SQLException {
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

  /** Changes rows and commits; returns how many. */
  public int change(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      int changed = statement.executeUpdate(sql);
      connection.commit();
      return changed;
    }
  }

  @Override
  public void close() throws SQLException {
    database.close();
  }
}
