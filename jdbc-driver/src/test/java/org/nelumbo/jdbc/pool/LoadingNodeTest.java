package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.number;
import static org.nelumbo.jdbc.Statements.run;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.open.NodePool;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.AttachProgress;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.node.LoadReport;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.dm.replication.RemotePool;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.replication.view.FreshHeader;
import org.nelumbo.jdbc.NelumboDataSource;

/** Connections that attach while a memory node loads its data from disk. */
@Timeout(120)
class LoadingNodeTest {
  private static final long BYTES = 32L << 20;
  private static final int ROWS = 5000;

  /** Number of progress reports that a waiting connection reads before loading completes. */
  private static final int ASKED = 3;

  private final Environment environment = new SystemEnvironment();

  @TempDir private Path directory;

  private NodeLog log(NodeMemory memory) {
    return NodePool.open(
        environment,
        DirectoryDisk.open(directory.resolve("pool"), "a test"),
        RedoOptions.DEFAULT,
        new LocalFabric(new NodeMemory[] {memory}),
        2);
  }

  private MemoryNode loading(NodeMemory memory, Supplier<String> progress) throws IOException {
    MemoryNode node =
        new MemoryNode(
            environment, memory, FreshAddress.next(), MemoryNode.Options.DEFAULT, progress);
    node.start();
    return node;
  }

  private static String url(NodeAddress... nodes) {
    StringBuilder url = new StringBuilder("jdbc:nelumbo://");
    for (NodeAddress node : nodes) {
      url.append(url.charAt(url.length() - 1) == '/' ? "" : ",").append(node);
    }
    return url + "/shop";
  }

  private static void fill(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url + "?create=true")) {
      run(
          connection,
          "CREATE TABLE t (id INT PRIMARY KEY)",
          "INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
              + ROWS
              + ") SELECT i FROM n",
          "SHUTDOWN");
    }
  }

  @Test
  void shouldReportProgressOrWaitWhileNodeLoads() throws Exception {
    NodeMemory first = LocalMemory.reserve(BYTES);
    try (MemoryNode node =
        new MemoryNode(
            environment, first, FreshAddress.next(), MemoryNode.Options.DEFAULT, log(first))) {
      node.start();
      fill(url(node.address()));
    }
    CountDownLatch asked = new CountDownLatch(ASKED);
    NodeMemory memory = LocalMemory.reserve(BYTES);
    Supplier<String> progress =
        () -> {
          asked.countDown();
          return "loading, 7 % of 5000 rows";
        };
    try (MemoryNode node = loading(memory, progress)) {
      String url = url(node.address());
      assertTrue(node.status().contains("loading=loading,_7_%"), node.status());
      SQLException early = assertThrows(SQLException.class, source(url, 0)::getConnection);
      assertEquals("57P03", early.getSQLState());
      assertInstanceOf(SQLTransientConnectionException.class, early);
      assertTrue(early.getMessage().contains("7 % of 5000 rows"), early.getMessage());
      CompletableFuture<Connection> waiting = connect(source(url, 100));
      asked.await();
      NodeLog log = AttachProgress.track(environment, "a test", () -> loadWithProgress(memory));
      node.loaded(log);
      try (Connection connection = waiting.get()) {
        assertEquals(ROWS, number(connection, "SELECT COUNT(*) FROM t"));
        run(connection, "INSERT INTO t VALUES (0)", "SHUTDOWN");
      }
    }
  }

  private NodeLog loadWithProgress(NodeMemory memory) {
    NodeLog log = log(memory);
    AttachProgress.State state = AttachProgress.current().state();
    assertEquals(AttachProgress.Phase.LOADING, state.phase());
    assertTrue(state.total() >= ROWS, state.toString());
    assertTrue(state.done() > 0 && state.done() <= state.total(), state.toString());
    return log;
  }

  private MemoryNode durable(int number, NodeAddress address) throws IOException {
    NodeMemory memory = LocalMemory.reserve(2 * BYTES);
    try (Channel channel =
        new LocalFabric(new NodeMemory[] {memory}).openChannel(NodeHeaderLayout.LENGTH)) {
      FreshHeader.write(channel, 0, environment.randomLong());
    }
    NodeLog log =
        NodePool.open(
            environment,
            DirectoryDisk.open(directory.resolve("node" + number), "a test"),
            RedoOptions.DEFAULT,
            null,
            1);
    MemoryNode.Options options =
        MemoryNode.Options.DEFAULT.withVotes(directory.resolve("votes" + number));
    MemoryNode node = new MemoryNode(environment, memory, address, options, log);
    node.start();
    return node;
  }

  private List<MemoryNode> durable(List<NodeAddress> addresses) throws IOException {
    List<MemoryNode> nodes = new ArrayList<>();
    for (NodeAddress address : addresses) {
      nodes.add(durable(nodes.size(), address));
    }
    return nodes;
  }

  @Test
  void shouldReportLoadingProgressOfAnotherComputeNode() throws Exception {
    List<NodeAddress> addresses =
        List.of(FreshAddress.next(), FreshAddress.next(), FreshAddress.next());
    String url = url(addresses.toArray(NodeAddress[]::new));
    List<MemoryNode> nodes = durable(addresses);
    fill(url);
    nodes.forEach(MemoryNode::close); // the memory is empty now
    nodes = durable(addresses);
    CompletableFuture<Connection> waiting;
    try (Fabric loader =
        RemotePool.open(
            environment,
            addresses,
            TcpOptions.of("who loads"),
            "shop",
            WantedPool.ANY,
            List.of())) {
      LoadReport report = new LoadReport(loader.log());
      report.tell("loading, 7 % of 5000 rows");
      assertTrue(nodes.getFirst().status().contains("loading=loading,_7_%_of"));
      SQLException early = assertThrows(SQLException.class, source(url, 0)::getConnection);
      assertEquals("57P03", early.getSQLState(), early.getMessage());
      assertTrue(early.getMessage().contains("7 % of 5000 rows"), early.getMessage());
      assertTrue(early.getMessage().contains("who loads"), early.getMessage());
      SQLException late = assertThrows(SQLException.class, source(url, 1)::getConnection);
      assertEquals("57P03", late.getSQLState(), late.getMessage());
      waiting = connect(source(url, 100));
      report.tell("loading, 8 % of 5000 rows");
      assertTrue(nodes.getFirst().status().contains("_8_%"));
      assertFalse(waiting.isDone());
    } // this load is abandoned; the waiting connection loads the pool
    try (Connection connection = waiting.get()) {
      assertEquals(ROWS, number(connection, "SELECT COUNT(*) FROM t"));
      assertFalse(nodes.getFirst().status().contains("loading="));
      run(connection, "INSERT INTO t VALUES (0)", "SHUTDOWN");
    }
    nodes.forEach(MemoryNode::close);
  }

  private static NelumboDataSource source(String url, int seconds) throws SQLException {
    NelumboDataSource source = new NelumboDataSource(); // ignores DriverManager's timeout
    source.setUrl(url);
    source.setLoginTimeout(seconds);
    return source;
  }

  private static CompletableFuture<Connection> connect(NelumboDataSource source) {
    CompletableFuture<Connection> waiting = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                waiting.complete(source.getConnection());
              } catch (SQLException e) {
                waiting.completeExceptionally(e);
              }
            });
    return waiting;
  }

  @Test
  void shouldAttachWithoutLoadingNodeIfMajorityIsReady() throws Exception {
    MemoryNode[] nodes = new MemoryNode[3];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] =
          new MemoryNode(
              environment,
              LocalMemory.reserve(BYTES),
              FreshAddress.next(),
              MemoryNode.Options.DEFAULT);
      nodes[i].start();
    }
    String url = url(nodes[0].address(), nodes[1].address(), nodes[2].address());
    try (MemoryNode one = nodes[0];
        MemoryNode another = nodes[1]) {
      NodeAddress last = nodes[2].address();
      try (MemoryNode _ = nodes[2]) {
        fill(url);
      }
      try (MemoryNode loading =
          new MemoryNode(
              environment,
              LocalMemory.reserve(BYTES),
              last,
              MemoryNode.Options.DEFAULT,
              () -> "loading")) {
        loading.start();
        try (Connection connection = DriverManager.getConnection(url)) {
          assertEquals(ROWS, number(connection, "SELECT COUNT(*) FROM t"));
          run(connection, "SHUTDOWN");
        }
      }
      assertTrue(one.isServing() && another.isServing());
    }
  }
}
