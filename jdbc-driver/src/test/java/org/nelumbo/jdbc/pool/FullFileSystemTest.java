package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

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
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.node.MemoryNode;

/** Pools whose file cannot grow, because other files have filled the file system. */
@Timeout(120)
class FullFileSystemTest {
  private static final String TEXT = "x".repeat(900);

  @TempDir private Path directory;
  private SmallFileSystem files;

  @BeforeEach
  void mount() throws Exception {
    files = SmallFileSystem.mount(directory.resolve("small"), 40);
    assumeTrue(files != null, "no file system can be mounted here");
  }

  @AfterEach
  void unmount() {
    if (files != null) {
      files.close();
    }
  }

  @Test
  void shouldReportFullFileSystemAndResumeWhenSpaceIsFreed() throws Exception {
    Path file = files.path("pool");
    String url = "jdbc:nelumbo:shm:" + file;
    try (Connection connection = DriverManager.getConnection(url + "?memory=32m");
        Connection other = DriverManager.getConnection(url)) {
      run(connection, "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(1000))");
      run(connection, "CREATE INDEX by_a ON t (a)");
      files.fill(3 << 20);
      int rows = insertUntilFull(connection, 0, file.toString());
      assertTrue(rows > 500, "rows=" + rows);
      assertEquals(rows, number(other, "SELECT COUNT(*) FROM t"));
      run(connection, "DELETE FROM t WHERE a = 0");
      assertEquals(rows - 1, number(connection, "SELECT COUNT(*) FROM t"));
      files.makeRoom();
      for (int a = rows; a < rows + 1000; a++) {
        run(other, "INSERT INTO t VALUES (" + a + ", '" + TEXT + "')");
      }
      assertEquals(rows + 999, number(connection, "SELECT COUNT(*) FROM t"));
      run(connection, "SHUTDOWN");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertTrue(number(connection, "SELECT COUNT(*) FROM t") > 1000);
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldAttachToAPoolOnAFullFileSystem() throws Exception {
    Path file = files.path("pool");
    String url = "jdbc:nelumbo:shm:" + file;
    int rows;
    try (Connection connection = DriverManager.getConnection(url + "?memory=32m")) {
      run(connection, "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(1000))");
      files.fill(2 << 20);
      rows = insertUntilFull(connection, 0, file.toString());
      run(connection, "SHUTDOWN");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertEquals(rows, number(connection, "SELECT COUNT(*) FROM t"));
      rows += insertUntilFull(connection, rows, file.toString());
      run(connection, "DELETE FROM t WHERE a = 7");
      assertEquals(rows - 1, number(connection, "SELECT COUNT(*) FROM t"));
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldNameFullMemoryNode() throws Exception {
    try (MemoryNode node = startNode("node", 32 << 20)) {
      String address = node.address().toString();
      try (Connection connection =
          DriverManager.getConnection("jdbc:nelumbo://" + address + "/full?create=true")) {
        run(connection, "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(1000))");
        files.fill(2 << 20);
        int rows = insertUntilFull(connection, 0, address);
        assertEquals(rows, number(connection, "SELECT COUNT(*) FROM t"));
        files.makeRoom();
        run(connection, "INSERT INTO t VALUES (" + rows + ", '" + TEXT + "')");
        assertEquals(
            1,
            number(
                connection,
                "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE ADDRESS = '" + address + "'"));
        run(connection, "SHUTDOWN");
      }
    }
  }

  /**
   * The copies run out of space one after the other; the last copy continues until it is full, too.
   */
  @Test
  void shouldContinueWithLastCopyWhenFilesCannotGrow() throws Exception {
    try (MemoryNode one = startNode("one", 16 << 20);
        MemoryNode other = startNode("other", 16 << 20);
        MemoryNode witness =
            new MemoryNode(
                new SystemEnvironment(),
                LocalMemory.reserve(1 << 20),
                FreshAddress.next(),
                MemoryNode.Options.DEFAULT.asWitness())) {
      witness.start();
      String url =
          "jdbc:nelumbo://%s,%s/full?create=true&witness=%s"
              .formatted(one.address(), other.address(), witness.address());
      int rows;
      try (Connection connection = DriverManager.getConnection(url)) {
        run(connection, "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(1000))");
        files.fill(3 << 20);
        rows = insertUntilFull(connection, 0, "127.0.0.1:");
        assertTrue(rows > 200, "rows=" + rows);
        assertEquals(rows, number(connection, "SELECT COUNT(*) FROM t"));
        assertTrue(live(connection) >= 1);
        run(connection, "UPDATE t SET b = 'short' WHERE a = 3", "DELETE FROM t WHERE a = 0");
        assertEquals(rows - 1, number(connection, "SELECT COUNT(*) FROM t"));
        run(connection, "SHUTDOWN");
      }
      try (Connection connection = DriverManager.getConnection(url)) {
        assertEquals(rows - 1, number(connection, "SELECT COUNT(*) FROM t"));
        rows += insertUntilFull(connection, rows, "127.0.0.1:");
        files.makeRoom();
        for (int last = rows + 300; rows < last; rows++) {
          run(connection, "INSERT INTO t VALUES (" + rows + ", '" + TEXT + "')");
        }
        while (live(connection) < 2) {
          LockSupport.parkNanos(100_000);
        }
        assertEquals(rows - 1, number(connection, "SELECT COUNT(*) FROM t"));
        run(connection, "SHUTDOWN");
      }
    }
  }

  private static long live(Connection connection) throws SQLException {
    return number(connection, "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE STATE = 'LIVE'");
  }

  private MemoryNode startNode(String name, long bytes) throws Exception {
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            SharedMemory.openNode(files.path(name), bytes, 0),
            FreshAddress.next(),
            MemoryNode.Options.DEFAULT);
    node.start();
    return node;
  }

  /** Inserts rows until the pool is full and returns their number. */
  private static int insertUntilFull(Connection connection, int first, String where) {
    int[] rows = {first};
    SQLException full =
        assertThrows(
            SQLException.class,
            () -> {
              while (rows[0] < 100_000) {
                run(connection, "INSERT INTO t VALUES (" + rows[0] + ", '" + TEXT + "')");
                rows[0]++;
              }
            });
    assertEquals("53200", full.getSQLState(), full.toString());
    assertTrue(full.getMessage().contains(where), full.getMessage());
    assertTrue(full.getMessage().contains("free space"), full.getMessage());
    return rows[0] - first;
  }
}
