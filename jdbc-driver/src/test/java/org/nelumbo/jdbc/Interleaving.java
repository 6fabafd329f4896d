package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs statements of several transactions in a given order, one at a time, and compares their
 * outcomes. A line of a script has the form {@code 1 SELECT n FROM t => 10 20}: the player, its
 * statement, and the outcome.
 *
 * <ul>
 *   <li>The outcome is the values of a query ({@code -} for no rows), an update count, {@code ok},
 *       an SQLState, or {@code waits} for a statement that waits for a lock according to {@code
 *       SYS.SESSIONS}.
 *   <li>A later line without a statement, {@code 1 => 10}, has the final outcome of a waiting
 *       statement.
 *   <li>Lines that begin with a hash sign are comments.
 * </ul>
 *
 * <p>Players connect in the order of their first lines. A transaction that began first is therefore
 * the older one even within one tick of the clock; this holds for the first transaction of each
 * player.
 */
final class Interleaving implements AutoCloseable {
  private static final String ARROW = " => ";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, Connection> players = new TreeMap<>();
  private final Map<String, Future<String>> waiting = new TreeMap<>();
  private final String url;
  private final Connection observer;

  /**
   * Opens a new database.
   *
   * @param properties connection properties of the players
   */
  Interleaving(String properties) throws SQLException {
    String name = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m&lockTimeout=1h";
    url = name + "&" + properties + "&user=";
    observer = DriverManager.getConnection(name + "&user=observer");
  }

  /** Runs statements outside the script. */
  Interleaving given(String... statements) throws SQLException {
    for (String sql : statements) {
      try (Statement statement = observer.createStatement()) {
        statement.execute(sql);
      }
    }
    return this;
  }

  /** Runs a script and asserts that the outcomes equal those in it. */
  Interleaving play(String script) throws Exception {
    List<String> found = new ArrayList<>();
    List<String> wanted = new ArrayList<>();
    for (String line : script.strip().split("\n", -1)) {
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      int arrow = (text + " ").lastIndexOf(ARROW);
      String left = text.substring(0, arrow).strip();
      int space = left.indexOf(' ');
      String outcome =
          space < 0 ? outcomeOfWait(left) : step(left.substring(0, space), left.substring(space));
      wanted.add(left + ARROW + text.substring(arrow + ARROW.length()).strip());
      found.add(left + ARROW + outcome);
    }
    assertEquals(String.join("\n", wanted), String.join("\n", found));
    return this;
  }

  /** Asserts the values that a query returns from committed data. */
  void finds(String expected, String sql) throws SQLException {
    assertEquals(expected, execute(observer, sql));
  }

  private Connection player(String name) throws SQLException {
    Connection known = players.get(name);
    if (known == null) {
      known = DriverManager.getConnection(url + "player" + name);
      known.setAutoCommit(false);
      players.put(name, known);
    }
    return known;
  }

  private String step(String name, String sql) throws Exception {
    Connection connection = player(name);
    Future<String> result = threads.submit(() -> execute(connection, sql.strip()));
    String waits =
        "SELECT COUNT(*) FROM sys.sessions WHERE waiting AND user_name = 'player" + name + "'";
    while (!result.isDone()) {
      if (execute(observer, waits).equals("1") && isHeldUpByAPlayer(name)) {
        waiting.put(name, result);
        return "waits";
      }
      LockSupport.parkNanos(100_000);
    }
    return result.get();
  }

  /**
   * Returns true if another session holds the lock that a player waits for. Otherwise the player
   * waits for a garbage collector, which locks a row only briefly.
   */
  private boolean isHeldUpByAPlayer(String name) {
    String holders =
        "SELECT COUNT(*) FROM sys.sessions AS s"
            + " JOIN sys.locks AS w ON w.session_id = s.session_id"
            + " JOIN sys.locks AS h ON h.lock_key = w.lock_key"
            + " WHERE s.user_name = 'player"
            + name
            + "' AND NOT w.granted AND h.granted AND h.session_id <> s.session_id";
    return !execute(observer, holders).equals("0");
  }

  private String outcomeOfWait(String name)
      throws InterruptedException, ExecutionException, TimeoutException {
    return waiting.remove(name).get(100, TimeUnit.SECONDS);
  }

  private static String execute(Connection connection, String sql) {
    try (Statement statement = connection.createStatement()) {
      switch (sql) {
        case "COMMIT" -> connection.commit();
        case "ROLLBACK" -> connection.rollback();
        default -> {
          if (!statement.execute(sql)) {
            return Integer.toString(statement.getUpdateCount());
          }
          try (ResultSet rows = statement.getResultSet()) {
            return values(rows);
          }
        }
      }
      return "ok";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  private static String values(ResultSet rows) throws SQLException {
    List<String> values = new ArrayList<>();
    while (rows.next()) {
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        values.add(rows.getString(i));
      }
    }
    return values.isEmpty() ? "-" : String.join(" ", values);
  }

  @Override
  public void close() throws SQLException {
    for (Connection player : players.values()) {
      player.abort(Runnable::run);
    }
    threads.shutdown();
    given("SHUTDOWN");
  }
}
