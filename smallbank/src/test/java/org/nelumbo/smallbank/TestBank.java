package org.nelumbo.smallbank;

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
import org.nelumbo.smallbank.load.Loader;

/** A small bank in memory. */
public final class TestBank implements AutoCloseable {
  public static final int CUSTOMERS = 50;
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Database database;
  private final long loadedCents;

  /**
   * Loads the accounts.
   *
   * @param url with {@code NAME} where the name of the database belongs
   */
  public TestBank(String url, boolean compat) throws SQLException, InterruptedException {
    database =
        Database.open(
            new DatabaseUrl(url.replace("NAME", "bank" + COUNT.incrementAndGet())),
            new DriverFinder(List.of()),
            new Properties(),
            IsolationLevel.SERIALIZABLE);
    loadedCents = new Loader(database, CUSTOMERS, compat, 42).load(LoadProgress.NONE);
  }

  public Database database() {
    return database;
  }

  /** The sum of all balances after the load. */
  public long loadedCents() {
    return loadedCents;
  }

  /** The rows of a query, a line each. */
  public List<String> rows(String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        rows.add(result.getString(1) + "|" + result.getString(2));
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
