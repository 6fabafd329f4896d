package org.nelumbo.tpcc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.DriverFinder;
import org.nelumbo.benchmark.database.IsolationLevel;
import org.nelumbo.tpcc.data.Population;
import org.nelumbo.tpcc.load.Loader;

/** An H2 database in memory with a tiny population, loaded within a moment. */
public final class TestDatabase implements AutoCloseable {
  /** Items few enough for orders to name one twice, now and then. */
  public static final Population TINY = new Population("tiny", 100, 30, 21);

  public static final long SEED = 42;

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Database database;

  /** Loads so many warehouses. */
  public TestDatabase(int warehouses, boolean foreignKeys)
      throws SQLException, InterruptedException {
    database =
        Database.open(
            new DatabaseUrl("jdbc:h2:mem:tpcc" + COUNT.incrementAndGet()),
            new DriverFinder(List.of()),
            new Properties(),
            IsolationLevel.SERIALIZABLE);
    new Loader(database, TINY, warehouses, SEED).load(LoadProgress.NONE, foreignKeys);
  }

  public Database database() {
    return database;
  }

  /** The number a query gives. */
  public long number(String query) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
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
