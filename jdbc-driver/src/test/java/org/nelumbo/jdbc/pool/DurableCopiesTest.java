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
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicated pools on three memory nodes with logs, which run in processes that are killed. */
@Timeout(120)
class DurableCopiesTest {
  private static final long BYTES = 64L << 20;
  private static final String LIVE = "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE STATE = 'LIVE'";

  @TempDir private Path directory;

  private final MemoryNodeProcess[] nodes = new MemoryNodeProcess[3];

  @BeforeEach
  void start() throws IOException {
    for (int node = 0; node < nodes.length; node++) {
      nodes[node] = new MemoryNodeProcess(BYTES, directory.resolve("node" + node));
    }
  }

  @AfterEach
  void stop() {
    for (MemoryNodeProcess node : nodes) {
      node.destroy();
    }
  }

  private String url() {
    return "jdbc:nelumbo://"
        + nodes[0].address()
        + ","
        + nodes[1].address()
        + ","
        + nodes[2].address()
        + "/bank?create=true";
  }

  private void killAll() throws InterruptedException {
    for (MemoryNodeProcess node : nodes) {
      node.destroy();
    }
    for (MemoryNodeProcess node : nodes) {
      node.kill();
    }
  }

  @Test
  void shouldKeepAcknowledgedCommitsWhenAllProcessesAreKilled() throws Exception {
    CrashRounds rounds =
        new CrashRounds(
            url(),
            1,
            () -> {
              killAll();
              nodes[2].start();
              nodes[0].start(); // a majority
            });
    rounds.create();
    rounds.round(150);
  }

  @Test
  void shouldContinueWithRemainingNodesAndReopenWithMajority() throws Exception {
    try (Connection connection = DriverManager.getConnection(url())) {
      run(
          connection,
          "CREATE TABLE t (id INT PRIMARY KEY)",
          "INSERT INTO t VALUES (1)",
          "CREATE TABLE large (id INT PRIMARY KEY, v VARCHAR(100000))");
      for (int i = 0; i < 50; i++) {
        run(connection, "INSERT INTO large VALUES (" + i + ", REPEAT('abcdefgh', 12500))");
      }
      nodes[0].kill();
      run(connection, "INSERT INTO t VALUES (2)");
      nodes[0].start();
      awaitLive(connection);
      checkSent(connection);
      run(connection, "INSERT INTO t VALUES (3)");
      nodes[1].kill();
      run(connection, "INSERT INTO t VALUES (4)");
      killAll();
    }
    nodes[1].start(); // it lacks a commit
    nodes[0].start();
    try (Connection connection = DriverManager.getConnection(url())) {
      assertEquals(4, number(connection, "SELECT COUNT(*) FROM t"));
      assertEquals(50, number(connection, "SELECT COUNT(*) FROM large"));
      run(connection, "INSERT INTO t VALUES (5)", "CHECK DATABASE");
    }
    SQLException one =
        assertThrows(
            SQLException.class,
            () -> DriverManager.getConnection("jdbc:nelumbo://" + nodes[0].address() + "/bank"));
    assertEquals("08001", one.getSQLState());
  }

  /**
   * Checks that the memory left by a killed process is compared with the pool and never used as its
   * content.
   */
  private static void checkSent(Connection connection) throws SQLException {
    long copied = number(connection, "SELECT SUM(FILL_COPIED_BYTES) FROM SYS.MEMORY_NODES");
    long equal = number(connection, "SELECT SUM(FILL_EQUAL_BYTES) FROM SYS.MEMORY_NODES");
    assertTrue(2 * copied < equal, "copied=" + copied + " equal=" + equal);
  }

  /** Waits until all memory nodes have all data in memory and in their logs. */
  private static void awaitLive(Connection connection) throws SQLException {
    while (number(connection, LIVE) < 3) {
      LockSupport.parkNanos(100_000);
    }
  }
}
