package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;

/** A lost pool causes an error and is never silently replaced by a new one. */
@Timeout(120)
class PoolIdentityTest {
  private final List<MemoryNode> nodes = new ArrayList<>();
  @TempDir private Path directory;

  private String startNodes(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      nodes.add(startNode(FreshAddress.next()));
    }
    return nodes.stream()
        .map(node -> node.address().toString())
        .collect(Collectors.joining(",", "jdbc:nelumbo://", "/shop"));
  }

  private static MemoryNode startNode(NodeAddress address) throws IOException {
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(32 << 20),
            address,
            MemoryNode.Options.DEFAULT);
    node.start();
    return node;
  }

  /** Restarts all nodes at their addresses with empty memory. */
  private void restartAll() throws IOException {
    for (int i = 0; i < nodes.size(); i++) {
      nodes.get(i).close();
      nodes.set(i, startNode(nodes.get(i).address()));
    }
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private String shm(String name) {
    return "jdbc:nelumbo:shm:" + directory.resolve(name) + "?memory=16m";
  }

  private static void assertRefused(String url, String... words) {
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url).close());
    assertEquals("08001", e.getSQLState(), e.toString());
    for (String word : words) {
      assertTrue(e.getMessage().contains(word), e.getMessage());
    }
  }

  private static String id(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet pool = statement.executeQuery("SELECT POOL_ID FROM SYS.POOL")) {
      assertTrue(pool.next());
      return pool.getString(1);
    }
  }

  private static String make(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection, "CREATE TABLE t (a INT PRIMARY KEY)", "INSERT INTO t VALUES (1)");
      return id(connection);
    }
  }

  private static void shutDown(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      run(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldMakeNoPoolOnMemoryNodesUnasked() throws Exception {
    for (int count : new int[] {1, 3}) {
      String url = startNodes(count);
      assertRefused(url, "there is no pool", "nelumbo init", "create=true");
      assertRefused(url + "?create=false", "there is no pool");
      String id = make(url + "?create=true");
      assertEquals(16, id.length());
      shutDown(url);
      assertRefused(url + "?create=new", "there is already a pool", id);
      try (Connection connection = DriverManager.getConnection(url)) {
        assertEquals(id, id(connection));
        assertEquals(1, number(connection, "SELECT COUNT(*) FROM t"));
        run(connection, "SHUTDOWN");
      }
      stop();
      nodes.clear();
    }
  }

  @Test
  void shouldReportLostPoolOfMemoryNodes() throws Exception {
    for (int count : new int[] {1, 3}) {
      String url = startNodes(count) + "?create=true";
      String id = make(url);
      restartAll();
      assertRefused(url, "there is no pool", "this process had pool " + id, "create=new");
      assertNotEquals(id, make(url.replace("true", "new")));
      shutDown(url);
      stop();
      nodes.clear();
    }
  }

  @Test
  void shouldRejectPoolWithDifferentId() throws Exception {
    String url = startNodes(1);
    final String id = make(url + "?create=true");
    restartAll();
    String sameNode = url.replace("127.0.0.1", "localhost");
    final String other = make(sameNode + "?create=true");
    shutDown(sameNode);
    assertRefused(url, "is " + other + ", not " + id, "this process had open");
    assertRefused(url + "?poolId=" + id, "is " + other + ", not " + id);
    assertRefused(url + "?poolId=none", "bad value 'none'");
    shutDown(url + "?poolId=" + other);
    shutDown(url);
  }

  @Test
  void shouldReportLostPoolFile() throws Exception {
    String id = make(shm("gone"));
    shutDown(shm("gone"));
    Files.delete(directory.resolve("gone"));
    assertRefused(shm("gone"), "there is no pool", "this process had pool " + id);
    assertFalse(Files.exists(directory.resolve("gone")));
    assertNotEquals(id, make(shm("gone") + "&create=new"));
    shutDown(shm("gone"));
  }

  @Test
  void shouldMakeNoFileIfThatIsForbidden() throws Exception {
    assertRefused(shm("none") + "&create=false", "there is no pool", "create=true");
    assertRefused(shm("nodes/") + "&create=false&nodes=2", "there is no pool");
    assertFalse(Files.exists(directory.resolve("none")));
    assertFalse(Files.exists(directory.resolve("nodes")));
    assertRefused("jdbc:nelumbo:mem:x?create=false", "always new");
  }

  @Test
  void shouldMissPartsOfAPool() throws Exception {
    make(shm("parts") + "&nodes=3");
    shutDown(shm("parts"));
    Files.delete(directory.resolve("parts/node-0"));
    assertRefused(shm("parts"), "a part of the pool is missing", "no node-0");
    assertRefused(shm("parts") + "&nodes=3", "a part of the pool is missing", "no node-0");
    assertFalse(Files.exists(directory.resolve("parts/node-0")));
  }
}
