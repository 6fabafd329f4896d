package org.nelumbo.jdbc.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Transactions of one and of two connections. They do not wait for locks, so that one thread
 * suffices.
 */
class TransactionTest {
  private Connection first;
  private Connection second;

  @BeforeEach
  void connect() throws SQLException {
    String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m&conflict=no-wait";
    first = DriverManager.getConnection(url);
    second = DriverManager.getConnection(url);
    run(first, "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)");
    run(first, "INSERT INTO t VALUES (1, 10), (2, 20)");
    first.setAutoCommit(false);
    second.setAutoCommit(false);
  }

  @AfterEach
  void shutDown() throws SQLException {
    second.close();
    if (first.isClosed()) {
      return;
    }
    if (!first.getAutoCommit()) {
      first.rollback();
    }
    run(first, "SHUTDOWN");
  }

  private static void assertState(String state, SQLException failure) {
    assertEquals(state, failure.getSQLState(), failure.getMessage());
    assertEquals(0, failure.getErrorCode());
  }

  private static void assertLoses(Connection connection, String sql) {
    SQLException failure =
        assertThrows(SQLTransactionRollbackException.class, () -> run(connection, sql));
    assertState("40001", failure);
  }

  @Test
  void shouldShareDataBetweenConnectionsOfOneName() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    first.commit();
    assertEquals(11, number(second, "SELECT n FROM t WHERE id = 1"));
  }

  @Test
  void shouldRollBackUncommittedChanges() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    run(first, "DELETE FROM t WHERE id = 2");
    first.rollback();
    assertEquals(30, number(first, "SELECT SUM(n) FROM t"));
  }

  @Test
  void shouldRefuseToEndTransactionsInAutoCommitMode() throws SQLException {
    first.setAutoCommit(true);
    assertState("25000", assertThrows(SQLException.class, first::commit));
    assertState("25000", assertThrows(SQLException.class, first::rollback));
    assertState("25000", assertThrows(SQLException.class, first::setSavepoint));
  }

  @Test
  void shouldCommitWhenAutoCommitIsSwitchedOn() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    first.setAutoCommit(true);
    assertEquals(11, number(second, "SELECT n FROM t WHERE id = 1"));
  }

  @Test
  void shouldRollBackToSavepoints() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    Savepoint unnamed = first.setSavepoint();
    run(first, "UPDATE t SET n = 12 WHERE id = 1");
    Savepoint named = first.setSavepoint("later");
    run(first, "INSERT INTO t VALUES (3, 30)");
    first.rollback(named);
    assertEquals(2, number(first, "SELECT COUNT(*) FROM t"));
    assertEquals("later", named.getSavepointName());
    first.rollback(unnamed);
    assertEquals(11, number(first, "SELECT n FROM t WHERE id = 1"));
    assertState("3B001", assertThrows(SQLException.class, () -> first.rollback(named)));
    first.releaseSavepoint(unnamed);
    assertState("3B001", assertThrows(SQLException.class, () -> first.rollback(unnamed)));
    first.commit();
    assertEquals(11, number(second, "SELECT n FROM t WHERE id = 1"));
  }

  @Test
  void shouldReportEffectiveIsolationLevel() throws SQLException {
    assertEquals(Connection.TRANSACTION_SERIALIZABLE, first.getTransactionIsolation());
    for (int level :
        new int[] {
          Connection.TRANSACTION_READ_UNCOMMITTED,
          Connection.TRANSACTION_READ_COMMITTED,
          Connection.TRANSACTION_REPEATABLE_READ
        }) {
      assertTrue(first.getMetaData().supportsTransactionIsolationLevel(level));
      first.setTransactionIsolation(level);
      assertEquals(Connection.TRANSACTION_REPEATABLE_READ, first.getTransactionIsolation());
    }
    assertThrows(
        SQLException.class, () -> first.setTransactionIsolation(Connection.TRANSACTION_NONE));
  }

  @Test
  void shouldRejectIsolationAndReadOnlyChangesInTransaction() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    assertState(
        "25001",
        assertThrows(
            SQLException.class,
            () -> first.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ)));
    assertState("25001", assertThrows(SQLException.class, () -> first.setReadOnly(true)));
    first.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
    first.setReadOnly(false);
    assertEquals(11, number(first, "SELECT n FROM t WHERE id = 1"));
  }

  @Test
  void shouldRefuseWritesWhenReadOnly() throws SQLException {
    first.setReadOnly(true);
    assertTrue(first.isReadOnly());
    assertState(
        "25006", assertThrows(SQLException.class, () -> run(first, "DELETE FROM t WHERE id = 1")));
    assertEquals(2, number(first, "SELECT COUNT(*) FROM t"));
    first.rollback();
    first.setReadOnly(false);
    assertEquals(1, run(first, "DELETE FROM t WHERE id = 1"));
  }

  @Test
  void shouldCloseResultsAtTheEndOfTheirTransaction() throws SQLException {
    try (Statement statement = first.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT id FROM t");
      assertTrue(rows.next());
      first.commit();
      assertTrue(rows.isClosed());
      assertState("24000", assertThrows(SQLException.class, rows::next));
      assertNull(statement.getResultSet());
      assertTrue(statement.executeQuery("SELECT id FROM t").next());
    }
  }

  @Test
  void shouldReleaseLocksOfAConnectionClosedInATransaction() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    assertLoses(second, "UPDATE t SET n = 12 WHERE id = 1");
    second.rollback();
    first.close();
    assertEquals(1, run(second, "UPDATE t SET n = 12 WHERE id = 1"));
    assertEquals(12, number(second, "SELECT n FROM t WHERE id = 1"));
    second.commit();
  }

  @Test
  void shouldRejectStatementsAfterSerializationFailure() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    run(second, "UPDATE t SET n = 21 WHERE id = 2");
    assertLoses(second, "UPDATE t SET n = 12 WHERE id = 1");
    assertThrows(SQLException.class, () -> number(second, "SELECT n FROM t WHERE id = 2"));
    assertThrows(SQLException.class, second::commit);
    second.rollback();
    assertEquals(20, number(second, "SELECT n FROM t WHERE id = 2"));
  }

  @Test
  void shouldPreventWriteSkew() throws SQLException {
    assertEquals(30, number(first, "SELECT SUM(n) FROM t"));
    assertEquals(30, number(second, "SELECT SUM(n) FROM t"));
    assertLoses(first, "UPDATE t SET n = n - 25 WHERE id = 1");
    first.rollback();
    run(second, "UPDATE t SET n = n - 25 WHERE id = 2");
    second.commit();
    assertEquals(5, number(first, "SELECT SUM(n) FROM t"));
  }

  @Test
  void shouldPreventLostUpdates() throws SQLException {
    long seen = number(first, "SELECT n FROM t WHERE id = 1");
    assertEquals(seen, number(second, "SELECT n FROM t WHERE id = 1"));
    assertLoses(first, "UPDATE t SET n = " + (seen + 1) + " WHERE id = 1");
    first.rollback();
    run(second, "UPDATE t SET n = " + (seen + 1) + " WHERE id = 1");
    second.commit();
    assertEquals(11, number(first, "SELECT n FROM t WHERE id = 1"));
  }

  @Test
  void shouldPreventLostUpdatesUnderSnapshotIsolation() throws SQLException {
    first.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    second.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    assertEquals(10, number(first, "SELECT n FROM t WHERE id = 1"));
    assertEquals(10, number(second, "SELECT n FROM t WHERE id = 1"));
    run(second, "UPDATE t SET n = 11 WHERE id = 1");
    second.commit();
    assertEquals(10, number(first, "SELECT n FROM t WHERE id = 1"));
    assertLoses(first, "UPDATE t SET n = 12 WHERE id = 1");
  }

  @Test
  void shouldPreventPhantoms() throws SQLException {
    String count = "SELECT COUNT(*) FROM t WHERE id BETWEEN 1 AND 10";
    assertEquals(2, number(first, count));
    assertLoses(second, "INSERT INTO t VALUES (5, 50)");
    assertEquals(2, number(first, count));
    first.commit();
    second.rollback();
    assertEquals(1, run(second, "INSERT INTO t VALUES (5, 50)"));
  }

  @Test
  void shouldReadOneSnapshotUnderSnapshotIsolation() throws SQLException {
    first.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    assertEquals(2, number(first, "SELECT COUNT(*) FROM t"));
    run(second, "INSERT INTO t VALUES (5, 50)");
    second.commit();
    assertEquals(2, number(first, "SELECT COUNT(*) FROM t"));
    first.commit();
    assertEquals(3, number(first, "SELECT COUNT(*) FROM t"));
  }

  @Test
  void shouldStayValidWithoutDisturbingATransaction() throws SQLException {
    run(first, "UPDATE t SET n = 11 WHERE id = 1");
    assertTrue(first.isValid(1));
    first.rollback();
    assertEquals(10, number(first, "SELECT n FROM t WHERE id = 1"));
    assertThrows(SQLException.class, () -> first.isValid(-1));
    first.close();
    assertFalse(first.isValid(1));
  }
}
