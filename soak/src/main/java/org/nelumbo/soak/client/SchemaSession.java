package org.nelumbo.soak.client;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * A session that changes the schema and the rows of its own table, and compares the table with a
 * map after each statement. After a statement with an unknown outcome it creates the table anew.
 * For one thread.
 */
final class SchemaSession implements Runnable {
  private static final long RETRY_NANOS = 50_000_000L;
  private static final int KEYS = 40;
  private static final int REPORT_EACH = 20;

  private final String url;
  private final String table;
  private final IntSupplier currentRound;
  private final Reports reports;
  private final Random random;
  private final TreeMap<Integer, Integer> rows = new TreeMap<>();
  private boolean indexed;
  private long done;

  SchemaSession(String url, int client, long seed, IntSupplier currentRound, Reports reports) {
    this.url = url;
    this.table = "scratch_" + client;
    this.currentRound = currentRound;
    this.reports = reports;
    this.random = new Random(seed * 17 + client);
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      if (currentRound.getAsInt() == 0) {
        LockSupport.parkNanos(RETRY_NANOS);
        continue;
      }
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        work(statement);
      } catch (SQLException | RuntimeException | Error e) {
        reports.judge(e);
      }
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void work(Statement statement) throws SQLException {
    statement.execute("DROP TABLE IF EXISTS " + table);
    statement.execute("CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, val INTEGER)");
    rows.clear();
    indexed = false;
    while (true) {
      try {
        step(statement);
      } catch (SQLException e) {
        if (!e.getSQLState().startsWith("40") && !e.getSQLState().startsWith("55")) {
          throw e;
        }
      }
      compare(statement);
      if (++done % REPORT_EACH == 0) {
        reports.say(Reports.SCHEMA, Long.toString(done));
      }
    }
  }

  private void step(Statement statement) throws SQLException {
    int key = random.nextInt(KEYS);
    switch (random.nextInt(12)) {
      case 0 -> {
        statement.execute("TRUNCATE TABLE " + table);
        rows.clear();
      }
      case 1 -> forbidNulls(statement);
      case 2 -> statement.execute("ALTER TABLE " + table + " ALTER COLUMN val DROP NOT NULL");
      case 3 -> toggleIndex(statement);
      case 4, 5 -> {
        statement.execute("DELETE FROM " + table + " WHERE id = " + key);
        rows.remove(key);
      }
      default -> write(statement, key);
    }
  }

  private void write(Statement statement, int key) throws SQLException {
    Integer value = random.nextInt(8) == 0 ? null : random.nextInt(10);
    String sql =
        rows.containsKey(key)
            ? "UPDATE " + table + " SET val = " + value + " WHERE id = " + key
            : "INSERT INTO " + table + " VALUES (" + key + ", " + value + ")";
    try {
      statement.execute(sql);
      rows.put(key, value);
    } catch (SQLException e) {
      if (!e.getSQLState().equals("23502") || value != null) {
        throw e;
      }
    }
  }

  /** Fails half way if the table contains a NULL. */
  private void forbidNulls(Statement statement) throws SQLException {
    boolean fails = rows.containsValue(null);
    try {
      statement.execute("ALTER TABLE " + table + " ALTER COLUMN val SET NOT NULL");
      require(!fails, "a column with NULLs has become NOT NULL");
    } catch (SQLException e) {
      if (!e.getSQLState().equals("23502") || !fails) {
        throw e;
      }
    }
  }

  private void toggleIndex(Statement statement) throws SQLException {
    String index = table + "_val";
    statement.execute(
        indexed ? "DROP INDEX " + index : "CREATE INDEX " + index + " ON " + table + " (val)");
    indexed = !indexed;
  }

  private void compare(Statement statement) throws SQLException {
    int key = random.nextInt(KEYS);
    try (ResultSet found =
        statement.executeQuery("SELECT val FROM " + table + " WHERE id = " + key)) {
      boolean present = found.next();
      require(present == rows.containsKey(key), "row " + key + " of " + table + ": " + present);
      if (present) {
        Object value = found.getObject(1);
        require(
            Objects.equals(value, rows.get(key)),
            "row " + key + " of " + table + " has " + value + ", not " + rows.get(key));
      }
    }
    int value = random.nextInt(10);
    long wanted = rows.values().stream().filter(each -> Objects.equals(each, value)).count();
    requireCount(statement, "SELECT COUNT(*) FROM " + table + " WHERE val = " + value, wanted);
    requireCount(statement, "SELECT COUNT(*) FROM " + table, rows.size());
  }

  private void requireCount(Statement statement, String sql, long wanted) throws SQLException {
    try (ResultSet count = statement.executeQuery(sql)) {
      count.next();
      long is = count.getLong(1);
      require(is == wanted, sql + " is " + is + ", not " + wanted);
    }
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      reports.say(Reports.WRONG, otherwise);
    }
  }
}
