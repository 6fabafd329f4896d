package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that a full pool can be emptied and filled again, for each kind of memory. */
@Timeout(240)
class EmptiedPoolTest {
  private static final int BATCH = 256;
  private static final int POOL_BYTES = 4 << 20;

  @TempDir private Path directory;

  private final List<MemoryNodeProcess> nodes = new ArrayList<>();

  /** Location of the memory of a pool. */
  private enum Kind {
    MEMORY,
    FILES,
    SHARED_FILE,
    NODE,
    DURABLE_NODE,
    THREE_COPIES
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNodeProcess::destroy);
  }

  private String url(Kind kind) throws IOException {
    return switch (kind) {
      case MEMORY -> "jdbc:nelumbo:mem:?memory=4m";
      case FILES -> "jdbc:nelumbo:file:" + directory.resolve("files") + "?memory=4m";
      case SHARED_FILE -> "jdbc:nelumbo:shm:" + directory.resolve("shared") + "?memory=4m";
      case NODE -> url(new MemoryNodeProcess(POOL_BYTES));
      case DURABLE_NODE -> url(new MemoryNodeProcess(POOL_BYTES, directory.resolve("log")));
      case THREE_COPIES ->
          url(
              new MemoryNodeProcess(POOL_BYTES),
              new MemoryNodeProcess(POOL_BYTES),
              new MemoryNodeProcess(POOL_BYTES));
    };
  }

  private String url(MemoryNodeProcess... started) {
    nodes.addAll(List.of(started));
    return nodes.stream()
        .map(node -> node.address().toString())
        .collect(Collectors.joining(",", "jdbc:nelumbo://", "/full?create=true"));
  }

  /** Inserts rows until the pool is full and returns their number. */
  private static int fill(Connection connection, String text) throws SQLException {
    return fill(connection, text, 0);
  }

  private static int fill(Connection connection, String text, int present) throws SQLException {
    int rows = present;
    connection.setAutoCommit(false);
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int batch = BATCH; batch > 0; ) {
        try {
          for (int i = 0; i < batch; i++) {
            insert.setInt(1, rows + i);
            insert.setInt(2, (rows + i) * 7);
            insert.setString(3, text);
            insert.addBatch();
          }
          insert.executeBatch();
          connection.commit();
          rows += batch;
        } catch (SQLException e) {
          assertEquals("53200", e.getSQLState(), e::getMessage);
          connection.rollback();
          batch /= BATCH;
        }
      }
    }
    connection.setAutoCommit(true);
    return rows;
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldDeleteEverythingAndInsertAgain(Kind kind) throws Exception {
    try (Connection connection = DriverManager.getConnection(url(kind))) {
      run(
          connection,
          "CREATE TABLE t (id INT PRIMARY KEY, n INT, v VARCHAR(5000))",
          "CREATE INDEX by_n ON t (n)");
      int rows = fill(connection, "x".repeat(100));
      assertTrue(rows > 8000, "rows=" + rows);
      SQLException e =
          assertThrows(SQLException.class, () -> run(connection, "UPDATE t SET n = 0"));
      assertEquals("53200", e.getSQLState());
      assertEquals(rows, run(connection, "DELETE FROM t"));
      int again = fill(connection, "x".repeat(100));
      assertTrue(again > rows * 9 / 10, "rows=" + rows + " again=" + again);
      int part = again / 3;
      for (int from = 0; from < again; from += part) {
        run(connection, "DELETE FROM t WHERE id >= " + from + " AND id < " + (from + part));
      }
      assertEquals(0, number(connection, "SELECT COUNT(*) FROM t"));
      rows = fill(connection, "y".repeat(4000));
      assertTrue(rows > 500, "rows=" + rows);
      run(connection, "DROP INDEX by_n", "TRUNCATE TABLE t");
      again = fill(connection, "y".repeat(4000));
      assertTrue(again > rows * 9 / 10, "rows=" + rows + " again=" + again);
      run(connection, "DROP TABLE t", "CREATE TABLE t (id INT PRIMARY KEY)", "SHUTDOWN");
    }
  }

  /** With smaller rows, more of them share the memory with the log of their deletion. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void shouldDeleteTheSmallestRows(Kind kind) throws Exception {
    try (Connection connection = DriverManager.getConnection(url(kind))) {
      run(connection, "CREATE TABLE t (id INT PRIMARY KEY)");
      int rows = 0;
      for (int batch = 4096; batch > 0; ) {
        String next = "SELECT x FROM GENERATE_SERIES(" + rows + ", " + (rows + batch - 1) + ")";
        try {
          rows += run(connection, "INSERT INTO t " + next + " AS s (x)");
        } catch (SQLException e) {
          assertEquals("53200", e.getSQLState(), e::getMessage);
          batch /= 16;
        }
      }
      assertEquals(rows, run(connection, "DELETE FROM t"));
      run(connection, "DROP TABLE t", "SHUTDOWN");
    }
  }

  /** The restarted node loads its rows into a full pool and keeps the same reserve. */
  @Test
  void shouldDeleteEverythingAfterAFullDurableNodeWasKilled() throws Exception {
    String url = url(Kind.DURABLE_NODE);
    int rows;
    try (Connection connection = DriverManager.getConnection(url)) {
      run(
          connection,
          "CREATE TABLE t (id INT PRIMARY KEY, n INT, v VARCHAR(5000))",
          "CREATE INDEX by_n ON t (n)");
      rows = fill(connection, "x".repeat(200));
      nodes.getFirst().kill();
    }
    nodes.getFirst().start();
    DriverManager.setLoginTimeout(60);
    try (Connection connection = DriverManager.getConnection(url)) {
      assertEquals(rows, number(connection, "SELECT COUNT(*) FROM t"));
      fill(connection, "x".repeat(200), rows);
      assertTrue(run(connection, "DELETE FROM t") >= rows);
      int again = fill(connection, "x".repeat(200));
      assertTrue(again > rows * 9 / 10, "rows=" + rows + " again=" + again);
      run(connection, "DROP TABLE t", "SHUTDOWN");
    } finally {
      DriverManager.setLoginTimeout(0);
    }
  }
}
