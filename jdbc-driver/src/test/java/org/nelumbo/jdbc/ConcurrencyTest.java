package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections of several threads: lock waits, cancellation, timeouts, and transfers that neither
 * create nor lose money.
 */
class ConcurrencyTest {
  private static final int ACCOUNTS = 8;
  private static final int THREADS = 4;
  private static final int TRANSFERS = 100;

  private final String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m";
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Connection first;
  private Connection second;

  @BeforeEach
  void connect() throws SQLException {
    first = DriverManager.getConnection(url + "&lockTimeout=1h");
    second = DriverManager.getConnection(url);
    run(first, "CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)");
    for (int id = 0; id < ACCOUNTS; id++) {
      run(first, "INSERT INTO account VALUES (" + id + ", 100)");
    }
  }

  @AfterEach
  void shutDown() throws SQLException {
    threads.shutdownNow();
    second.close();
    try (Connection last = DriverManager.getConnection(url)) {
      run(last, "SHUTDOWN");
    }
  }

  /**
   * Begins a transaction in {@code first} and then a younger one in {@code second}, which locks row
   * 1. An update of row 1 by {@code first} waits.
   */
  private void letFirstMeetALock() throws SQLException {
    first.setAutoCommit(false);
    second.setAutoCommit(false);
    number(first, "SELECT balance FROM account WHERE id = 0");
    run(second, "UPDATE account SET balance = 0 WHERE id = 1");
  }

  @Test
  void shouldWaitForALockToBeReleased() throws Exception {
    letFirstMeetALock();
    Future<Integer> waiting =
        threads.submit(() -> run(first, "UPDATE account SET balance = balance + 1 WHERE id = 1"));
    second.commit();
    assertEquals(1, waiting.get());
    assertEquals(1, number(first, "SELECT balance FROM account WHERE id = 1"));
    first.close();
  }

  @Test
  void shouldCancelAStatementThatWaitsForALock() throws Exception {
    letFirstMeetALock();
    try (Statement statement = first.createStatement()) {
      Future<Integer> waiting =
          threads.submit(
              () -> statement.executeUpdate("UPDATE account SET balance = 1 WHERE id = 1"));
      while (!waiting.isDone()) {
        statement.cancel();
        LockSupport.parkNanos(100_000);
      }
      SQLException failure =
          assertInstanceOf(
              SQLException.class, assertThrows(ExecutionException.class, waiting::get).getCause());
      assertEquals("57014", failure.getSQLState());
    }
    first.rollback();
    second.commit();
    assertEquals(0, number(first, "SELECT balance FROM account WHERE id = 1"));
    first.close();
  }

  @Test
  void shouldNotCancelOtherStatementOfConnection() throws Exception {
    try (Statement idle = first.createStatement();
        Statement busy = first.createStatement();
        ResultSet rows = busy.executeQuery("SELECT id FROM account")) {
      idle.cancel();
      int count = 0;
      while (rows.next()) {
        count++;
      }
      assertEquals(ACCOUNTS, count);
    }
    first.close();
  }

  @Test
  void shouldAbortAConnectionThatWaitsForALock() throws Exception {
    letFirstMeetALock();
    Future<Integer> waiting =
        threads.submit(() -> run(first, "UPDATE account SET balance = 1 WHERE id = 1"));
    List<Future<?>> endings = new ArrayList<>();
    first.abort(task -> endings.add(threads.submit(task)));
    for (Future<?> ending : endings) {
      ending.get();
    }
    assertThrows(ExecutionException.class, waiting::get);
    assertTrue(first.isClosed());
    second.commit();
    assertEquals(1, run(second, "UPDATE account SET balance = 5 WHERE id = 0"));
    second.commit();
  }

  private Void transfer(int seed) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement query =
            connection.prepareStatement("SELECT balance FROM account WHERE id = ?");
        PreparedStatement update =
            connection.prepareStatement("UPDATE account SET balance = ? WHERE id = ?")) {
      connection.setAutoCommit(false);
      int done = 0;
      while (done < TRANSFERS) {
        int from = (seed + done * 3) % ACCOUNTS;
        int to = (from + 1 + seed % (ACCOUNTS - 1)) % ACCOUNTS;
        try {
          int balance = balance(query, from);
          int other = balance(query, to);
          set(update, from, balance - 1);
          set(update, to, other + 1);
          connection.commit();
          done++;
        } catch (SQLException e) {
          assertEquals("40001", e.getSQLState(), e.getMessage());
          connection.rollback();
        }
      }
    }
    return null;
  }

  private static int balance(PreparedStatement query, int id) throws SQLException {
    query.setInt(1, id);
    try (ResultSet rows = query.executeQuery()) {
      assertTrue(rows.next());
      return rows.getInt(1);
    }
  }

  private static void set(PreparedStatement update, int id, int balance) throws SQLException {
    update.setInt(1, balance);
    update.setInt(2, id);
    assertEquals(1, update.executeUpdate());
  }

  @Test
  void shouldPreserveTotalUnderConcurrentTransfers() throws Exception {
    List<Future<Void>> runs = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int seed = i;
      runs.add(threads.submit(() -> transfer(seed)));
    }
    for (Future<Void> run : runs) {
      run.get();
    }
    assertEquals(ACCOUNTS * 100, number(first, "SELECT SUM(balance) FROM account"));
    first.close();
  }
}
