package org.nelumbo.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keys that are too long for an index are refused, and the transaction can continue. */
class KeyLengthTest {
  private static final String LONG = "x".repeat(300);

  private Connection connection;
  private Statement statement;

  @BeforeEach
  void connect() throws SQLException {
    connection = DriverManager.getConnection("jdbc:nelumbo:mem:?memory=256m");
    statement = connection.createStatement();
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    connection.rollback();
    connection.close();
  }

  private void assertTooLong(String name, String sql) {
    SQLException failure = assertThrows(SQLException.class, () -> statement.execute(sql));
    assertEquals("54000", failure.getSQLState(), failure::getMessage);
    assertTrue(failure.getMessage().contains(name), failure::getMessage);
  }

  private int count(String table) throws SQLException {
    try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      assertTrue(rows.next());
      return rows.getInt(1);
    }
  }

  @Test
  void shouldRefuseAPrimaryKey() throws SQLException {
    statement.execute("CREATE TABLE t (k VARCHAR(500) PRIMARY KEY, v INT)");
    assertTooLong("T", "INSERT INTO t VALUES ('" + LONG + "', 1)");
    assertTooLong("T", "INSERT INTO t VALUES ('a', 1), ('" + LONG + "', 2), ('c', 3)");
    assertEquals(1, statement.executeUpdate("INSERT INTO t VALUES ('b', 1)"));
    connection.commit();
    assertEquals(1, count("t"));
  }

  @Test
  void shouldRefuseAValueOfAnIndex() throws SQLException {
    statement.execute("CREATE TABLE t (k INT PRIMARY KEY, s VARCHAR(500), v INT)");
    statement.execute("CREATE INDEX t_by_s ON t (s)");
    assertEquals(1, statement.executeUpdate("INSERT INTO t VALUES (1, 'a', 1)"));
    assertTooLong("T_BY_S", "INSERT INTO t VALUES (2, '" + LONG + "', 1)");
    assertTooLong("T_BY_S", "INSERT INTO t VALUES (3, 'b', 1), (4, '" + LONG + "', 1)");
    assertTooLong("T_BY_S", "UPDATE t SET s = '" + LONG + "' WHERE k = 1");
    assertTooLong("T_BY_S", "UPDATE t SET s = '" + LONG + "' WHERE v = 1");
    connection.commit();
    assertEquals(1, count("t"));
    assertEquals(1, count("t WHERE s = 'a'"));
  }

  @Test
  void shouldRejectIndexOnExistingLongValues() throws SQLException {
    statement.execute("CREATE TABLE t (k INT PRIMARY KEY, s VARCHAR(500))");
    statement.execute("INSERT INTO t VALUES (1, 'a'), (2, '" + LONG + "')");
    connection.commit();
    assertTooLong("T_BY_S", "CREATE INDEX t_by_s ON t (s)");
    statement.execute("DELETE FROM t WHERE k = 2");
    connection.commit();
    statement.execute("CREATE INDEX t_by_s ON t (s)");
    assertEquals(1, count("t WHERE s = 'a'"));
  }
}
