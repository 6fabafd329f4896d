package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.shm.SharedMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.PoolOpenException;

/** Replicated pools on several memory nodes, through JDBC. */
@Timeout(180)
class ReplicatedPoolTest {
  private final List<MemoryNode> inFiles = new ArrayList<>();

  @Test
  void shouldLoseNoCommitWhenMemoryNodesAreKilled() throws Exception {
    try (MemoryNodeRounds bank = new MemoryNodeRounds(11)) {
      bank.begin();
      bank.round();
      bank.round();
      long acknowledged = bank.acknowledged();
      assertTrue(bank.end() >= acknowledged);
    }
  }

  @Test
  void shouldContinueWithMinorityIfRecoveryIsForced() throws Exception {
    List<MemoryNodeProcess> nodes = new ArrayList<>();
    try {
      for (int node = 0; node < 3; node++) {
        nodes.add(new MemoryNodeProcess(32 << 20));
      }
      String url = url(nodes.stream().map(MemoryNodeProcess::address).toList());
      run(url, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)", "SHUTDOWN");
      nodes.get(0).kill();
      nodes.get(1).kill();
      String said = assertRefused(url);
      assertTrue(said.contains("recover=force continues with nodes 2"), said);
      assertTrue(said.contains("at " + nodes.get(0).address()), said);
      run(url + "&recover=force", "INSERT INTO t VALUES (3)", "DELETE FROM t WHERE a < 3");
      run(url, "INSERT INTO t VALUES (1)", "SHUTDOWN");
    } finally {
      nodes.forEach(MemoryNodeProcess::destroy);
    }
  }

  @Test
  void shouldFindThePoolInTheFilesOfItsNodes(@TempDir Path folder) throws Exception {
    long bytes = 32 << 20;
    String url = url(startInFiles(folder, bytes, bytes));
    run(url, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)", "SHUTDOWN");
    stopAll();
    url = url(startInFiles(folder, 0, 8 << 20));
    run(url, "INSERT INTO t VALUES (3)", "DELETE FROM t WHERE a < 3", "SHUTDOWN");
    stopAll();
    Path file = folder.resolve("1");
    String said = assertRefused("jdbc:nelumbo:shm:" + file);
    assertTrue(said.contains("memory node of a pool with copies"), said);
    PoolOpenException e =
        assertThrows(PoolOpenException.class, () -> SharedMemory.openNode(file, 64 << 20, 0));
    assertTrue(
        e.getMessage().contains("a pool keeps the size it was created with"), e.getMessage());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes / 2);
    }
    e = assertThrows(PoolOpenException.class, () -> SharedMemory.openNode(file, 0, bytes));
    assertTrue(e.getMessage().contains("was truncated"), e.getMessage());
  }

  @Test
  void shouldContinueWithoutNodeWhoseFileIsUnusable(@TempDir Path folder) throws Exception {
    long bytes = 32 << 20;
    String url = url(startInFiles(folder, bytes, bytes));
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(1000))");
      try (FileChannel channel = FileChannel.open(folder.resolve("1"), StandardOpenOption.WRITE)) {
        channel.truncate(64 << 10);
      }
      int row = 0;
      for (boolean isOut = false; !isOut; row++) {
        statement.execute("INSERT INTO t VALUES (" + row + ", '" + "x".repeat(1000) + "')");
        try (ResultSet out =
            statement.executeQuery("SELECT 1 FROM SYS.MEMORY_NODES WHERE STATE <> 'LIVE'")) {
          isOut = out.next();
        }
      }
      try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
        assertTrue(rows.next());
        assertEquals(row, rows.getInt(1));
      }
      statement.execute("SHUTDOWN");
    }
  }

  @Test
  void shouldRefuseCommitsWithFewerCopiesThanWanted(@TempDir Path folder) throws Exception {
    long bytes = 32 << 20;
    String url = url(startInFiles(folder, bytes, bytes)) + "&minCopies=3";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INT PRIMARY KEY)");
      statement.execute("INSERT INTO t VALUES (1)");
      inFiles.get(1).close();
      awaitOut(statement);
      SQLException e =
          assertThrows(SQLException.class, () -> statement.execute("INSERT INTO t VALUES (2)"));
      assertEquals("53000", e.getSQLState());
      assertTrue(e.getMessage().contains("2 copies of the pool are live"), e.getMessage());
      try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t")) {
        assertTrue(rows.next());
        assertEquals(1, rows.getInt(1));
      }
      statement.execute("SHUTDOWN");
    }
  }

  private static void awaitOut(Statement statement) throws SQLException {
    boolean isOut = false;
    while (!isOut) {
      try (ResultSet out =
          statement.executeQuery("SELECT 1 FROM SYS.MEMORY_NODES WHERE STATE = 'OUT'")) {
        isOut = out.next();
      }
    }
  }

  @Test
  void shouldRejectUnattainableMinCopies(@TempDir Path folder) throws Exception {
    long bytes = 32 << 20;
    String said = assertRefused(url(startInFiles(folder, bytes, bytes)) + "&minCopies=4");
    assertTrue(said.contains("so no commit can have minCopies=4"), said);
    said = assertRefused("jdbc:nelumbo:mem:?minCopies=2");
    assertTrue(said.contains("minCopies=2 needs memory nodes"), said);
    said = assertRefused("jdbc:nelumbo:mem:?minCopies=none");
    assertTrue(said.contains("a number from 1 to 64"), said);
  }

  private List<NodeAddress> startInFiles(Path folder, long wanted, long bytes) throws IOException {
    for (int node = 0; node < 3; node++) {
      inFiles.add(
          new MemoryNode(
              new SystemEnvironment(),
              SharedMemory.openNode(folder.resolve(Integer.toString(node)), wanted, bytes),
              FreshAddress.next(),
              MemoryNode.Options.DEFAULT));
      inFiles.getLast().start();
    }
    return inFiles.stream().map(MemoryNode::address).toList();
  }

  @AfterEach
  void stopAll() {
    inFiles.forEach(MemoryNode::close);
    inFiles.clear();
  }

  private static String url(List<NodeAddress> nodes) {
    return nodes.stream()
        .map(NodeAddress::toString)
        .collect(Collectors.joining(",", "jdbc:nelumbo://", "/shop?create=true"));
  }

  @Test
  void shouldRefuseCopiesOnTwoNodesWithoutAWitness(@TempDir Path folder) throws Exception {
    long bytes = 32 << 20;
    List<NodeAddress> two = startInFiles(folder, bytes, bytes).subList(0, 2);
    for (String copies : List.of("", "&replicas=2")) {
      String said = assertRefused(url(two) + copies);
      assertTrue(said.contains("name a third node, or a witness (witness=HOST:PORT"), said);
    }
    run(url(two) + "&replicas=1", "CREATE TABLE t (a INT PRIMARY KEY)", "SHUTDOWN");
  }

  @Test
  void shouldRefuseANodeThatIsNamedTwice() {
    String said = assertRefused("jdbc:nelumbo://127.0.0.1:1,127.0.0.1:2,127.0.0.1:1/shop");
    assertTrue(said.contains("memory node 127.0.0.1:1 is named twice"), said);
  }

  @Test
  void shouldRejectForcedRecoveryWithoutMemoryNodes() {
    String said = assertRefused("jdbc:nelumbo:mem:?recover=force");
    assertTrue(said.contains("recover=force is for pools with copies on memory nodes"), said);
    said = assertRefused("jdbc:nelumbo:mem:?recover=please");
    assertTrue(said.contains("choose from safe, force"), said);
  }

  private static void run(String url, String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String assertRefused(String url) {
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url).close());
    assertEquals("08001", e.getSQLState());
    return e.getMessage();
  }

  @Test
  void shouldRejectReplicasWithoutMemoryNodes() {
    SQLException e =
        assertThrows(
            SQLException.class,
            () -> DriverManager.getConnection("jdbc:nelumbo:mem:?replicas=3").close());
    assertEquals("08001", e.getSQLState());
    assertTrue(e.getMessage().contains("needs memory nodes"), e.getMessage());
  }
}
