package org.nelumbo.jdbc.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Statements that are stopped while they wait for a lock: by {@code cancel}, by a timeout, by the
 * end of their connection. One transaction holds row 1. {@code waiter} has a lock on row 0, is
 * older, and requests row 1.
 */
class InterruptionTest {
  private static final String WANT_ROW_1 = "UPDATE t SET n = n + 1 WHERE id = 1";

  private final String url =
      "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m&lockTimeout=1h&user=";
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Connection observer;
  private Connection holder;
  private Connection waiter;

  @BeforeEach
  void connect() throws SQLException {
    observer = DriverManager.getConnection(url + "observer");
    // if two transactions begin at the same instant, the one that connected first is older
    waiter = DriverManager.getConnection(url + "waiter");
    holder = DriverManager.getConnection(url + "holder");
    run(observer, "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
    run(observer, "INSERT INTO t VALUES (0, 0), (1, 0)");
  }

  @AfterEach
  void shutDown() throws SQLException {
    threads.shutdownNow();
    run(observer, "SHUTDOWN");
  }

  private void holdRow1() throws SQLException {
    holder.setAutoCommit(false);
    run(holder, "UPDATE t SET n = 10 WHERE id = 1");
  }

  private void letWaiterBeOlder() throws SQLException {
    waiter.setAutoCommit(false);
    run(waiter, "UPDATE t SET n = 5 WHERE id = 0");
    holdRow1();
  }

  private <T> Future<T> blocked(Callable<T> action) throws SQLException {
    Future<T> result = threads.submit(action);
    while (number(observer, "SELECT COUNT(*) FROM sys.sessions WHERE waiting") == 0) {
      assertFalse(result.isDone(), "it should wait");
      LockSupport.parkNanos(100_000);
    }
    return result;
  }

  private static <X extends SQLException> X failure(Class<X> type, Future<?> result)
      throws Exception {
    return assertInstanceOf(
        type,
        assertThrows(ExecutionException.class, () -> result.get(60, TimeUnit.SECONDS)).getCause());
  }

  /**
   * Asserts that row 0 has its old value and can be written at once: the locks and changes of the
   * waiter are gone.
   */
  private void assertWaiterLeftNothing() throws SQLException {
    try (Connection fresh = DriverManager.getConnection(url + "fresh&conflict=no-wait")) {
      assertEquals(1, run(fresh, "UPDATE t SET n = 6 WHERE id = 0 AND n = 0"));
    }
  }

  @Test
  void shouldCancelAStatementThatWaits() throws Exception {
    letWaiterBeOlder();
    try (Statement statement = waiter.createStatement()) {
      Future<Integer> result = blocked(() -> statement.executeUpdate(WANT_ROW_1));
      statement.cancel();
      assertEquals("57014", failure(SQLException.class, result).getSQLState());
      assertEquals(
          "25P02",
          assertThrows(SQLException.class, () -> statement.executeUpdate(WANT_ROW_1))
              .getSQLState());
      waiter.rollback();
      assertWaiterLeftNothing();
      holder.commit();
      assertEquals(1, statement.executeUpdate(WANT_ROW_1));
      waiter.commit();
      assertEquals(11, number(observer, "SELECT n FROM t WHERE id = 1"));
    }
  }

  @Test
  void shouldCancelAStatementThatIsRunAgainAndAgain() throws Exception {
    holdRow1();
    try (Statement statement = waiter.createStatement()) {
      for (int i = 0; i < 20; i++) {
        Future<Integer> result = blocked(() -> statement.executeUpdate(WANT_ROW_1));
        statement.cancel();
        assertEquals("57014", failure(SQLException.class, result).getSQLState());
      }
      holder.rollback();
      assertEquals(1, statement.executeUpdate(WANT_ROW_1));
    }
  }

  @Test
  void shouldEndAWaitByTheTimeLimitOfTheStatement() throws Exception {
    letWaiterBeOlder();
    try (Statement statement = waiter.createStatement()) {
      statement.setQueryTimeout(1);
      SQLException failure =
          assertThrows(SQLTimeoutException.class, () -> statement.executeUpdate(WANT_ROW_1));
      assertEquals("57014", failure.getSQLState());
      waiter.rollback();
      assertWaiterLeftNothing();
      holder.commit();
      statement.setQueryTimeout(60);
      assertEquals(1, statement.executeUpdate(WANT_ROW_1));
      waiter.rollback();
    }
  }

  @Test
  void shouldEndRepeatedRunsByTheTimeLimitOfTheFirst() throws SQLException {
    holdRow1();
    try (Connection hasty = DriverManager.getConnection(url + "hasty&queryTimeout=50ms")) {
      SQLException failure = assertThrows(SQLTimeoutException.class, () -> run(hasty, WANT_ROW_1));
      assertEquals("57014", failure.getSQLState());
      holder.rollback();
      try (Statement patient = hasty.createStatement()) {
        patient.setQueryTimeout(60);
        assertEquals(1, patient.executeUpdate(WANT_ROW_1));
      }
    }
  }

  @Test
  void shouldCloseConnectionWhenNetworkTimeoutExpires() throws SQLException {
    letWaiterBeOlder();
    waiter.setNetworkTimeout(threads, 50);
    Statement statement = waiter.createStatement();
    SQLException failure =
        assertThrows(
            SQLNonTransientConnectionException.class, () -> statement.executeUpdate(WANT_ROW_1));
    assertEquals("08006", failure.getSQLState());
    assertTrue(failure.getMessage().contains("50 ms"), failure.getMessage());
    assertTrue(waiter.isClosed() && statement.isClosed());
    assertFalse(waiter.isValid(1));
    assertEquals("08003", assertThrows(SQLException.class, waiter::commit).getSQLState());
    waiter.close();
    awaitSessions("waiter", 0);
    assertWaiterLeftNothing();
  }

  @Test
  void shouldCloseAConnectionThatWaitsForItsNextRow() throws SQLException {
    letWaiterBeOlder();
    // long enough for the query to return on a busy machine; the next row is late
    waiter.setNetworkTimeout(Runnable::run, 1_000);
    Statement statement = waiter.createStatement();
    ResultSet rows = statement.executeQuery("SELECT n FROM t ORDER BY id FOR UPDATE");
    SQLException failure =
        assertThrows(
            SQLException.class,
            () -> {
              while (rows.next()) {
                rows.getInt(1);
              }
            });
    assertEquals("08006", failure.getSQLState());
    assertTrue(rows.isClosed());
    awaitSessions("waiter", 0);
    assertWaiterLeftNothing();
  }

  @Test
  void shouldFailWaitingStatementWhenConnectionIsAborted() throws Exception {
    letWaiterBeOlder();
    Future<Integer> result = blocked(() -> run(waiter, WANT_ROW_1));
    waiter.abort(threads);
    assertEquals("08006", failure(SQLException.class, result).getSQLState());
    awaitSessions("waiter", 0);
    assertWaiterLeftNothing();
  }

  @Test
  void shouldEndEveryStatementAtShutdown() throws Exception {
    letWaiterBeOlder();
    Future<Integer> result = blocked(() -> run(waiter, WANT_ROW_1));
    run(holder, "SHUTDOWN");
    observer = DriverManager.getConnection(url);
    try {
      result.get(60, TimeUnit.SECONDS); // the lock was released before the connection ended
    } catch (ExecutionException e) {
      assertInstanceOf(SQLException.class, e.getCause());
    }
    assertFalse(waiter.isValid(1));
    assertThrows(SQLException.class, waiter::commit);
  }

  /** Waits for a number of sessions, because another thread ends a lost connection. */
  private void awaitSessions(String user, int count) throws SQLException {
    String sql = "SELECT COUNT(*) FROM sys.sessions WHERE user_name = '" + user + "'";
    while (number(observer, sql) != count) {
      LockSupport.parkNanos(100_000);
    }
  }
}
