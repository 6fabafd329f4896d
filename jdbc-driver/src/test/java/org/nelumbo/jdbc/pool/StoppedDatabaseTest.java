package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.Database;
import org.nelumbo.database.open.LocalDatabase;

/** Opens and recovers a database whose engine has stopped during an operation. */
@Timeout(60)
class StoppedDatabaseTest {
  private static void stop(Connection connection) throws SQLException {
    Database database = connection.unwrap(Database.class);
    ((LocalDatabase) database).engine().stop(new OutOfMemoryError("a test"));
  }

  private static void shouldRecover(String url) throws SQLException {
    try (Connection first = DriverManager.getConnection(url);
        Connection second = DriverManager.getConnection(url);
        Statement statement = first.createStatement();
        Statement other = second.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY, v INT)");
      statement.execute("INSERT INTO t VALUES (1, 10), (2, 20)");
      second.setAutoCommit(false);
      other.execute("INSERT INTO t VALUES (3, 30)");
      stop(first);
      SQLException refused =
          assertThrows(SQLException.class, () -> statement.execute("SELECT * FROM t"));
      assertEquals("08006", refused.getSQLState(), refused::toString);
      assertTrue(refused.getMessage().contains("connect again"), refused::getMessage);
      assertThrows(SQLException.class, second::commit);
      assertFalse(first.isValid(1));
    }
    try (Connection third = DriverManager.getConnection(url);
        Statement statement = third.createStatement()) {
      assertEquals(2, number(third, "SELECT COUNT(*) FROM t"));
      statement.execute("INSERT INTO t VALUES (3, 31)");
      assertEquals(31, number(third, "SELECT v FROM t WHERE id = 3"));
      statement.execute("SHUTDOWN");
    }
  }

  @Test
  void shouldRecoverAnEmbeddedDatabase() throws SQLException {
    shouldRecover("jdbc:nelumbo:mem:stopped");
  }

  @Test
  void shouldRecoverASharedFile(@TempDir Path folder) throws SQLException {
    shouldRecover("jdbc:nelumbo:shm:" + folder.resolve("pool") + "?memory=32m");
  }

  /** The connections of the stopped database may still be in the middle of a change. */
  @Test
  void shouldWaitForConnectionsOfTheStoppedDatabase() throws SQLException {
    String url = "jdbc:nelumbo:mem:stopped-slowly";
    try (Connection first = DriverManager.getConnection(url);
        Statement statement = first.createStatement()) {
      statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
      stop(first);
      SQLException refused =
          assertThrows(SQLException.class, () -> DriverManager.getConnection(url).close());
      assertEquals("08001", refused.getSQLState(), refused::toString);
      assertTrue(refused.getMessage().contains("close them and try again"), refused::getMessage);
    }
    try (Connection again = DriverManager.getConnection(url)) {
      assertEquals(0, number(again, "SELECT COUNT(*) FROM t"));
    }
  }

  /** A full heap can prevent a channel from being closed, and no later step closes it. */
  @Test
  void shouldAttachAgainAlthoughAChannelStayedOpen() throws Exception {
    MemoryNodeProcess node = new MemoryNodeProcess(32L << 20);
    try {
      String url = "jdbc:nelumbo://" + node.address() + "/stopped?create=true";
      try (Connection first = DriverManager.getConnection(url);
          Statement statement = first.createStatement()) {
        statement.execute("CREATE TABLE t (id INT PRIMARY KEY)");
        Database database = first.unwrap(Database.class);
        assertNotNull(((LocalDatabase) database).engine().fabric().openChannel(Long.BYTES));
        stop(first);
      }
      try (Connection again = DriverManager.getConnection(url)) {
        assertEquals(0, number(again, "SELECT COUNT(*) FROM t"));
      }
    } finally {
      node.destroy();
    }
  }
}
