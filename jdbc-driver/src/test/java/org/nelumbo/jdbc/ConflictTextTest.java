package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A transaction that loses a conflict gets an error that names the table or index of the conflict.
 */
class ConflictTextTest {
  private static final String HIS = "INSERT INTO t VALUES (3, 'z', 3, 3)";

  private Connection winner;
  private Connection loser;

  @BeforeEach
  void open() throws SQLException {
    String url = "jdbc:nelumbo:mem:" + UUID.randomUUID() + "?memory=64m&lockTimeout=1";
    winner = DriverManager.getConnection(url);
    loser = DriverManager.getConnection(url);
    run(
        winner,
        "CREATE TABLE t (a INT, b VARCHAR(10), u INT UNIQUE, v INT, PRIMARY KEY (a, b))",
        "CREATE INDEX t_v ON t (v)",
        "INSERT INTO t VALUES (1, 'x', 1, 1), (2, 'y', 2, 2)");
    winner.setAutoCommit(false);
    loser.setAutoCommit(false);
    loser.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
  }

  @AfterEach
  void shutDown() throws SQLException {
    winner.rollback();
    loser.rollback();
    winner.setAutoCommit(true);
    run(winner, "SHUTDOWN");
    loser.close();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = loser.createStatement()) {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          rows.next();
        }
      }
    }
  }

  private String refused(String first, String second) throws SQLException {
    run(winner, first);
    SQLException refused = assertThrows(SQLException.class, () -> execute(second));
    assertEquals("40001", refused.getSQLState(), refused.getMessage());
    return refused.getMessage();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "UPDATE t SET v = 9 WHERE a = 1; UPDATE t SET v = 8 WHERE a = 1 AND b = 'x';"
            + "write lock on row (A, B) = (1, 'x') of table T",
        "DELETE FROM t WHERE a = 1; SELECT * FROM t WHERE a = 1 AND b = 'x';"
            + "read lock on row (A, B) = (1, 'x') of table T",
        "UPDATE t SET v = 9 WHERE a = 1; UPDATE t SET v = 8;"
            + "write lock on a row or range of table T",
        HIS
            + "; INSERT INTO t VALUES (3, 'z', 4, 4); write lock on row (A, B) = (3, 'z') of table T",
        HIS
            + "; INSERT INTO t VALUES (5, 'z', 5, 5), (3, 'z', 6, 6);"
            + "write lock on row (A, B) = (3, 'z') of table T",
        HIS
            + "; INSERT INTO t VALUES (4, 'z', 3, 4);"
            + "write lock on a value or range of an index of table T",
        HIS
            + "; SELECT * FROM t WHERE u = 3; read lock on a row or range of index T_U_KEY of table T"
      })
  void shouldNameContendedLock(String first, String second, String told) throws SQLException {
    String message = refused(first, second);
    assertEquals(told, message.substring(0, message.indexOf(" is held by")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "UPDATE t SET v = 3 WHERE a = 1 AND b = 'x'; row (A, B) = (1, 'x') of table T",
        "UPDATE t SET v = 3; a row or range of table T"
      })
  void shouldNameRowChangedSinceSnapshot(String change, String told) throws SQLException {
    loser.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    execute("SELECT COUNT(*) FROM t");
    run(winner, "UPDATE t SET v = 7 WHERE a = 1");
    winner.commit();
    SQLException refused = assertThrows(SQLException.class, () -> execute(change));
    assertEquals(
        told
            + " was changed by another transaction since this one's snapshot; roll back and retry"
            + " the transaction",
        refused.getMessage());
  }
}
