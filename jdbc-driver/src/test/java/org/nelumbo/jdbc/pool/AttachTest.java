package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.jdbc.NelumboDataSource;

/**
 * Proves that an attempt to attach does not disturb others: neither connections to other pools nor,
 * if it is refused, the owner of this pool.
 */
@Timeout(120)
class AttachTest {
  private final List<MemoryNode> nodes = new ArrayList<>();

  /** Starts memory nodes whose lease expires at once, so that any process can take over. */
  private String startNodes(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      nodes.add(
          new MemoryNode(
              new SystemEnvironment(),
              LocalMemory.reserve(32 << 20),
              FreshAddress.next(),
              MemoryNode.Options.DEFAULT.withLeaseNanos(1)));
      nodes.getLast().start();
    }
    return nodes.stream()
        .map(node -> node.address().toString())
        .collect(Collectors.joining(",", "jdbc:nelumbo://", "/shop"));
  }

  @AfterEach
  void stop() {
    nodes.forEach(MemoryNode::close);
  }

  private static String refused(String url) {
    SQLException e =
        assertThrows(SQLException.class, () -> DriverManager.getConnection(url).close());
    assertEquals("08001", e.getSQLState(), e.toString());
    return e.getMessage();
  }

  @Test
  void shouldNotFenceOwnerIfPoolNameIsRejected() throws Exception {
    for (int count : new int[] {1, 3}) {
      String url = startNodes(count);
      try (Connection owner = DriverManager.getConnection(url + "?create=true")) {
        run(owner, "CREATE TABLE t (a INT PRIMARY KEY)");
        String other = url.replace("127.0.0.1", "localhost").replace("/shop", "/other");
        assertTrue(refused(other).contains("is called 'shop', not 'other'"));
        assertTrue(
            refused(url.replace("127.0.0.1", "localhost") + "?create=new").contains("already"));
        run(owner, "INSERT INTO t VALUES (1)");
        assertEquals(1, number(owner, "SELECT COUNT(*) FROM t"));
        run(owner, "SHUTDOWN");
      }
      stop();
      nodes.clear();
    }
  }

  @Test
  void shouldNotFenceOwnerIfTooFewNodesReply() throws Exception {
    String url = startNodes(3);
    try (Connection owner = DriverManager.getConnection(url + "?create=true")) {
      run(owner, "CREATE TABLE t (a INT PRIMARY KEY)");
      String elsewhere = "jdbc:nelumbo://localhost:" + nodes.getFirst().address().port();
      String said = refused(elsewhere + ",127.0.0.1:1,127.0.0.1:2/shop");
      assertTrue(said.contains("too few of the memory nodes"), said);
      run(owner, "INSERT INTO t VALUES (1)");
      assertEquals(3, number(owner, "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE STATE = 'LIVE'"));
      run(owner, "SHUTDOWN");
    }
  }

  @SuppressWarnings("try") // the socket closes before its block ends
  @Test
  void shouldTimeOutLoginWithoutBlockingOtherPools() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url = "jdbc:nelumbo://127.0.0.1:" + silent.getLocalPort() + "/shop";
      CompletableFuture<String> patient = CompletableFuture.supplyAsync(() -> refused(url));
      NelumboDataSource source = new NelumboDataSource();
      source.setUrl(url);
      source.setLoginTimeout(1);
      SQLException e = assertThrows(SQLTimeoutException.class, source::getConnection);
      assertEquals("08001", e.getSQLState());
      assertTrue(e.getMessage().contains("login timeout"), e.getMessage());
      try (Connection memory = DriverManager.getConnection("jdbc:nelumbo:mem:beside")) {
        String place = "'127.0.0.1:" + silent.getLocalPort() + "'";
        String progress =
            "SELECT COUNT(*) FROM SYS.ATTACHES WHERE PHASE = 'CONNECTING' AND PLACE = ";
        assertEquals(1, number(memory, progress + place));
      }
      assertFalse(patient.isDone(), "the node answers");
      silent.close();
      assertTrue(patient.join().contains("cannot"), patient.join());
    }
  }
}
