package org.nelumbo.jdbc.connection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.jdbc.Statements;

/**
 * Threads that share one connection in auto-commit mode, each with its own statements. They run
 * random statements and compare the results with those of a single thread.
 */
class SharedConnectionTest {
  private static final int THREADS = 4;
  private static final int STEPS = Integer.getInteger("nelumbo.sharedSteps", 400);
  private static final int ROWS = 40;

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=64m");
    run(
        connection,
        "CREATE TABLE f (id INTEGER PRIMARY KEY, t VARCHAR(40), b VARBINARY(9), d DECIMAL(30, 2))");
    for (int i = 0; i < ROWS; i++) {
      run(
          connection,
          "INSERT INTO f VALUES (" + i + ", " + text(i) + ", X'0" + i % 10 + "', " + i + ".25)");
    }
    run(
        connection,
        "CREATE TABLE own (thread INTEGER, id INTEGER, v VARCHAR(40), PRIMARY KEY (thread, id))");
    run(connection, "CREATE TABLE k (id INTEGER GENERATED ALWAYS AS IDENTITY, thread INTEGER)");
  }

  private static String text(int id) {
    return id % 7 == 0 ? "NULL" : "'text " + id + "'";
  }

  @AfterEach
  void shutDown() throws SQLException {
    threads.shutdownNow();
    connection.close();
  }

  @Test
  void shouldReturnOwnResultsToEachThread() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    List<User> users = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      User user = new User(i);
      users.add(user);
      running.add(
          threads.submit(
              () -> {
                user.run();
                return null;
              }));
    }
    for (Future<?> one : running) {
      one.get();
    }
    for (User user : users) {
      assertEquals(user.rows, user.stored());
      assertEquals(
          user.keys, number(connection, "SELECT COUNT(*) FROM k WHERE thread = " + user.id));
    }
  }

  @Test
  void shouldStopAStatementThatWaitsForThatOfAnotherThread() throws Exception {
    try (Statement endless = connection.createStatement();
        Statement waiting = connection.createStatement();
        PreparedStatement prepared = connection.prepareStatement("SELECT id FROM f")) {
      assertTrue(prepared.executeQuery().next());
      Future<?> running = threads.submit(() -> failure(() -> endless.executeQuery(ENDLESS)));
      waiting.setQueryTimeout(1);
      prepared.setQueryTimeout(1);
      String state = "none";
      while (state.equals("none")) { // the other thread has not begun yet
        state = failure(() -> assertTrue(waiting.executeQuery("SELECT id FROM f").next()));
      }
      // Each statement has the result of its last run open, and must close it first.
      assertEquals("57014", state);
      assertEquals("57014", failure(prepared::executeQuery));
      assertEquals("57014", failure(() -> waiting.executeQuery("SELECT 2")));

      waiting.setQueryTimeout(0);
      Future<String> cancelled =
          threads.submit(() -> failure(() -> waiting.executeUpdate("DELETE FROM f")));
      while (!cancelled.isDone()) {
        waiting.cancel();
        Thread.onSpinWait();
      }
      assertEquals("57014", cancelled.get());
      assertFalse(running.isDone());
      endless.cancel();
      assertEquals("57014", running.get());
    }
    assertEquals(ROWS, number(connection, "SELECT COUNT(*) FROM f"));
  }

  private static final String ENDLESS =
      "SELECT COUNT(*) FROM f a, f b, f c, f d, f e, f g, f h, f i WHERE a.id + b.id = i.id";

  private static String failure(SqlAction action) {
    try {
      action.run();
      return "none";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }

  @FunctionalInterface
  private interface SqlAction {
    void run() throws SQLException;
  }

  @Test
  void shouldKeepBufferedResultWhenOtherStatementsRun() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT id, t FROM f ORDER BY id")) {
      String[] others = {
        "INSERT INTO own VALUES (0, 0, 'a')",
        "INSERT INTO own VALUES (0, 0, 'duplicate')",
        "SELEC 1",
        "SELECT no_such FROM f",
        "CREATE TABLE other (id INTEGER PRIMARY KEY)",
        "DROP TABLE f",
        "SET lockTimeout = '5s'",
        "ANALYZE own",
        "COMMIT"
      };
      for (int i = 0; i < others.length; i++) {
        assertTrue(result.next());
        String other = others[i];
        try (Statement second = connection.createStatement()) {
          second.execute(other);
        } catch (SQLException e) {
          assertFalse(e.getSQLState().startsWith("08"), other);
        }
        assertEquals(i, result.getInt(1), other);
        assertEquals(i % 7 == 0 ? null : "text " + i, result.getString(2), other);
      }
      connection.setAutoCommit(false);
      assertTrue(result.next());
      connection.commit();
      assertTrue(result.isClosed());
    }
  }

  /** One thread: its random statements, and the rows that it expects. */
  private final class User {
    final int id;
    final Random random;
    final Map<Integer, String> rows = new TreeMap<>();
    int keys;

    User(int id) {
      this.id = id;
      this.random = new Random(42 + id);
    }

    void run() throws SQLException {
      for (int i = 0; i < STEPS; i++) {
        step();
      }
    }

    private void step() throws SQLException {
      switch (random.nextInt(15)) {
        case 0, 1, 2 -> readFixed(ResultSet.TYPE_FORWARD_ONLY);
        case 3 -> readFixed(ResultSet.TYPE_SCROLL_INSENSITIVE);
        case 4 -> readPrepared();
        case 5 -> insert();
        case 6 -> returning();
        case 7 -> batch();
        case 13 -> updateBatch();
        case 8 -> generateKey();
        case 9 -> fail();
        case 10 -> changeSettingOrSchema();
        case 11 -> cancelIdle();
        case 12 -> changeThroughResult();
        default -> assertEquals(rows, stored());
      }
    }

    private void pause() {
      if (random.nextInt(4) == 0) {
        Thread.yield();
      }
    }

    private void readFixed(int type) throws SQLException {
      int from = random.nextInt(ROWS);
      int to = from + random.nextInt(ROWS - from);
      String query =
          "SELECT t, id, b, UPPER(t), d FROM f WHERE id BETWEEN "
              + from
              + " AND "
              + to
              + " ORDER BY id";
      try (Statement statement = connection.createStatement(type, ResultSet.CONCUR_READ_ONLY);
          ResultSet result = statement.executeQuery(query)) {
        readTo(result, from, to);
      }
    }

    private void readPrepared() throws SQLException {
      try (PreparedStatement statement =
          connection.prepareStatement(
              "SELECT t, id, b, UPPER(t), d FROM f WHERE id >= ? ORDER BY id")) {
        for (int i = 0; i < 3; i++) {
          int from = random.nextInt(ROWS);
          statement.setInt(1, from);
          try (ResultSet result = statement.executeQuery()) {
            readTo(result, from, ROWS - 1);
          }
        }
      }
    }

    private void readTo(ResultSet result, int from, int to) throws SQLException {
      int end = random.nextInt(8) == 0 ? from - 1 : to; // sometimes stops early
      for (int i = from; i <= end; i++) {
        assertTrue(result.next(), "row " + i + " of " + from + " to " + to);
        pause();
        String expected = i % 7 == 0 ? null : "text " + i;
        assertEquals(expected, result.getString(1));
        pause();
        assertEquals(i, result.getInt(2));
        assertArrayEquals(new byte[] {(byte) (i % 10)}, result.getBytes(3));
        assertEquals(expected == null ? null : "TEXT " + i, result.getString(4));
        pause();
        assertEquals(new BigDecimal(i + ".25"), result.getBigDecimal(5));
      }
      if (end == to) {
        assertFalse(result.next());
      }
    }

    private int freeId() {
      int free = random.nextInt(1_000_000);
      return rows.containsKey(free) ? freeId() : free;
    }

    private void insert() throws SQLException {
      int row = freeId();
      String sql = "INSERT INTO own VALUES (" + id + ", " + row + ", 'a')";
      assertEquals(1, Statements.run(connection, sql));
      rows.put(row, "a");
    }

    private void returning() throws SQLException {
      String value = "v" + random.nextInt(100);
      String sql = "UPDATE own SET v = '" + value + "' WHERE thread = " + id + " RETURNING id, v";
      List<Integer> found = new ArrayList<>();
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(sql)) {
        while (result.next()) {
          pause();
          found.add(result.getInt(1));
          assertEquals(value, result.getString(2));
        }
      }
      assertEquals(new ArrayList<>(rows.keySet()), found.stream().sorted().toList());
      rows.replaceAll((_, _) -> value);
    }

    /** Runs a batch whose last row may fail; the rows before it are kept. */
    private void batch() throws SQLException {
      boolean fails = random.nextBoolean() && !rows.isEmpty();
      Map<Integer, String> added = new TreeMap<>();
      try (PreparedStatement statement =
          connection.prepareStatement("INSERT INTO own VALUES (" + id + ", ?, ?)")) {
        for (int i = 0; i < 1 + random.nextInt(6); i++) {
          int row = freeId();
          if (added.put(row, "b" + i) == null) {
            statement.setInt(1, row);
            statement.setString(2, "b" + i);
            statement.addBatch();
          }
        }
        if (fails) {
          statement.setInt(1, rows.keySet().iterator().next());
          statement.setString(2, "duplicate");
          statement.addBatch();
          BatchUpdateException failure =
              assertThrows(BatchUpdateException.class, statement::executeBatch);
          assertEquals(added.size(), failure.getUpdateCounts().length);
        } else {
          assertEquals(added.size(), statement.executeBatch().length);
        }
      }
      rows.putAll(added);
    }

    private void updateBatch() throws SQLException {
      try (PreparedStatement statement =
          connection.prepareStatement(
              "UPDATE own SET v = 'w' WHERE thread = " + id + " AND id = ?")) {
        for (int row : rows.keySet()) {
          statement.setInt(1, row);
          statement.addBatch();
        }
        for (int count : statement.executeBatch()) {
          assertEquals(1, count);
        }
      }
      rows.replaceAll((_, _) -> "w");
    }

    private void generateKey() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate(
            "INSERT INTO k (thread) VALUES (" + id + ")", Statement.RETURN_GENERATED_KEYS);
        keys++;
        pause();
        try (ResultSet result = statement.getGeneratedKeys()) {
          assertTrue(result.next());
          int key = result.getInt(1);
          assertEquals(id, number(connection, "SELECT thread FROM k WHERE id = " + key));
        }
      }
    }

    private void fail() throws SQLException {
      String sql =
          switch (random.nextInt(5)) {
            case 0 -> "SELEC 1";
            case 3 -> "SAVEPOINT not_in_auto_commit";
            case 1 -> "INSERT INTO f (id) VALUES (1)";
            case 2 -> "SELECT no_such FROM f";
            default -> "DELETE FROM own WHERE 1 / (id - id) = thread";
          };
      try (Statement statement = connection.createStatement()) {
        if (!rows.isEmpty() || !sql.startsWith("DELETE")) {
          assertNotNull(assertThrows(SQLException.class, () -> statement.execute(sql)));
        }
      }
    }

    private void changeSettingOrSchema() throws SQLException {
      if (random.nextInt(3) == 0) {
        Statements.run(connection, "CREATE TABLE d" + id + " (id INTEGER PRIMARY KEY)");
        Statements.run(connection, "DROP TABLE d" + id);
      } else {
        Statements.run(connection, "SET lockTimeout = '" + (20 + id) + "s'");
      }
    }

    private void cancelIdle() throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.cancel();
        statement.execute("SELECT id FROM f");
        statement.getMoreResults();
        statement.cancel();
      }
    }

    private void changeThroughResult() throws SQLException {
      String query = "SELECT thread, id, v FROM own WHERE thread = " + id + " ORDER BY id";
      try (Statement statement =
              connection.createStatement(
                  ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
          ResultSet result = statement.executeQuery(query)) {
        for (int row : List.copyOf(rows.keySet())) {
          assertTrue(result.next());
          assertEquals(row, result.getInt(2));
          if (random.nextInt(8) == 0) {
            result.updateString(3, "u");
            result.updateRow();
            assertEquals("u", result.getString(3));
            rows.put(row, "u");
          }
        }
        assertFalse(result.next());
      }
    }

    Map<Integer, String> stored() throws SQLException {
      Map<Integer, String> found = new TreeMap<>();
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SELECT id, v FROM own WHERE thread = " + id)) {
        while (result.next()) {
          pause();
          found.put(result.getInt(1), result.getString(2));
        }
      }
      return found;
    }
  }
}
