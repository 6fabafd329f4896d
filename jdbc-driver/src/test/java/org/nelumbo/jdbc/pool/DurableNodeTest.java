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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pools on one memory node with a log, which runs in a process that is killed. */
@Timeout(120)
class DurableNodeTest {
  private static final long BYTES = 64L << 20;

  @TempDir private Path directory;

  private final List<MemoryNodeProcess> nodes = new ArrayList<>();

  private MemoryNodeProcess start(String name) throws IOException {
    MemoryNodeProcess node = new MemoryNodeProcess(BYTES, directory.resolve(name));
    nodes.add(node);
    return node;
  }

  private static String url(String properties, MemoryNodeProcess... nodes) {
    return Stream.of(nodes)
        .map(node -> node.address().toString())
        .collect(Collectors.joining(",", "jdbc:nelumbo://", "/bank?create=true" + properties));
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNodeProcess::destroy);
  }

  @Test
  void shouldKeepAcknowledgedCommitsWhenAllProcessesAreKilled() throws Exception {
    MemoryNodeProcess node = start("bank");
    CrashRounds rounds =
        new CrashRounds(
            url("", node),
            1,
            () -> {
              node.kill();
              node.start();
            });
    rounds.create();
    rounds.round(150);
  }

  @Test
  void shouldRestoreCommittedStateAfterKill() throws Exception {
    MemoryNodeProcess node = start("shop");
    try (Connection connection = DriverManager.getConnection(url("", node))) {
      run(
          connection,
          "CREATE TABLE t (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v VARCHAR(20))",
          "CREATE UNIQUE INDEX by_v ON t (v)",
          "CREATE TABLE gone (id INT PRIMARY KEY)",
          "INSERT INTO gone VALUES (1)",
          "DROP TABLE gone",
          "CREATE TABLE emptied (id INT PRIMARY KEY)",
          "INSERT INTO emptied VALUES (1), (2)",
          "TRUNCATE TABLE emptied",
          "INSERT INTO t (v) VALUES ('a'), ('b'), ('c')",
          "UPDATE t SET v = 'B' WHERE v = 'b'",
          "DELETE FROM t WHERE v = 'c'",
          "CREATE TABLE large (id INT PRIMARY KEY, v VARCHAR(20000))");
      connection.setAutoCommit(false); // more than one frame
      for (int i = 0; i < 80; i++) {
        run(connection, "INSERT INTO large VALUES (" + i + ", REPEAT('x', 20000))");
      }
      connection.commit();
      run(connection, "INSERT INTO large VALUES (1000, 'y')"); // not committed
      node.kill();
      SQLException lost = assertThrows(SQLException.class, connection::commit);
      assertTrue(lost.getSQLState().startsWith("08"), lost.getSQLState());
    }
    node.start();
    try (Connection connection = DriverManager.getConnection(url("", node))) {
      assertEquals(2, number(connection, "SELECT COUNT(*) FROM t"));
      assertEquals(1, number(connection, "SELECT COUNT(*) FROM t WHERE v = 'B'"));
      assertEquals(0, number(connection, "SELECT COUNT(*) FROM emptied"));
      assertEquals(80, number(connection, "SELECT COUNT(*) FROM large"));
      run(connection, "INSERT INTO t (v) VALUES ('d')", "CREATE TABLE gone (id INT PRIMARY KEY)");
      assertEquals(3, number(connection, "SELECT COUNT(DISTINCT id) FROM t"));
      run(connection, "SHUTDOWN");
    }
    node.kill();
    node.start();
    SQLException other =
        assertThrows(
            SQLException.class,
            () -> DriverManager.getConnection(url("", node).replace("/bank", "/other")));
    assertEquals("08001", other.getSQLState());
    try (Connection connection = DriverManager.getConnection(url("", node))) {
      assertEquals(3, number(connection, "SELECT COUNT(*) FROM t"));
    }
  }

  @Test
  void shouldBeToldWhetherToWaitForTheDisk() throws Exception {
    try (Connection connection = DriverManager.getConnection(url("", start("quick")))) {
      run(
          connection,
          "CREATE TABLE t (id INT PRIMARY KEY)",
          "SET DURABILITY = 'none'",
          "INSERT INTO t VALUES (1)",
          "SET DURABILITY = 'commit'",
          "INSERT INTO t VALUES (2)");
      assertEquals(2, number(connection, "SELECT COUNT(*) FROM t"));
    }
  }

  @Test
  void shouldRejectSeveralDurableNodesWithoutReplication() throws Exception {
    MemoryNodeProcess one = start("one");
    MemoryNodeProcess other = start("other");
    SQLException refused =
        assertThrows(
            SQLException.class, () -> DriverManager.getConnection(url("&replicas=1", one, other)));
    assertEquals("08001", refused.getSQLState());
    assertTrue(refused.getMessage().contains("--durable"), refused.getMessage());
  }
}
