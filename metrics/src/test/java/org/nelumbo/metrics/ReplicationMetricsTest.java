package org.nelumbo.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;

/** Meters and SYS.MEMORY_NODES for three memory nodes, one of which fails and returns. */
@Timeout(180)
class ReplicationMetricsTest {
  private final MemoryNode[] nodes = new MemoryNode[3];
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private Connection connection;

  private static MemoryNode start(NodeAddress address) throws IOException {
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(64 << 20),
            address,
            MemoryNode.Options.DEFAULT);
    node.start();
    return node;
  }

  @BeforeEach
  void open() throws Exception {
    for (int node = 0; node < nodes.length; node++) {
      nodes[node] = start(new NodeAddress("127.0.0.1", 0));
    }
    String hosts =
        Arrays.stream(nodes)
            .map(node -> node.address().toString())
            .collect(Collectors.joining(","));
    connection = DriverManager.getConnection("jdbc:nelumbo://" + hosts + "/shop?create=true");
    execute("CREATE TABLE t (a INT PRIMARY KEY)");
    new DatabaseMetrics(connection.unwrap(Database.class)).bindTo(registry);
  }

  @AfterEach
  void stop() throws SQLException {
    execute("SHUTDOWN");
    connection.close();
    for (MemoryNode node : nodes) {
      node.close();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private double state(int node, String state) {
    return registry
        .get("nelumbo.pool.node.state")
        .tag("node", Integer.toString(node))
        .tag("address", nodes[node].address().toString())
        .tag("state", state)
        .gauge()
        .value();
  }

  private double ofNode(int node, String name) {
    return registry.get(name).tag("node", Integer.toString(node)).gauge().value();
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  private void awaitState(int node, String state) {
    while (state(node, state) == 0) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void shouldReportFailedAndReturningNode() throws Exception {
    assertEquals(3, gauge("nelumbo.pool.copies"));
    assertEquals(0, gauge("nelumbo.pool.lost"));
    for (int node = 0; node < nodes.length; node++) {
      assertEquals(1, state(node, "live"));
      assertTrue(ofNode(node, "nelumbo.pool.node.answer") > 0, "node=" + node);
      assertTrue(ofNode(node, "nelumbo.pool.node.slow") <= 1, "node=" + node);
    }
    final double before = gauge("nelumbo.pool.view");
    NodeAddress address = nodes[1].address();
    nodes[1].close();
    awaitState(1, "out");
    assertEquals(0, state(1, "live"));
    assertEquals(0, state(1, "filling"));
    assertTrue(gauge("nelumbo.pool.view") > before);
    assertEquals("OUT", memoryNode(1, "STATE"));
    String why = memoryNode(1, "WHY");
    assertTrue(why != null && !why.isEmpty(), why);
    execute("INSERT INTO t VALUES (1)");
    nodes[1] = start(address);
    while (registry.get("nelumbo.pool.filled.nodes").functionCounter().count() < 1) {
      LockSupport.parkNanos(100_000);
    }
    assertEquals(1, state(1, "live"));
    assertTrue(registry.get("nelumbo.pool.filled").functionCounter().count() > 0);
    assertEquals("LIVE", memoryNode(1, "STATE"));
    assertEquals(address.toString(), memoryNode(1, "ADDRESS"));
    assertNull(memoryNode(1, "WHY"));
    assertNull(memoryNode(1, "FILL_BYTES"));
    assertEquals(Integer.toString(64 << 20), memoryNode(1, "BYTES"));
  }

  private String memoryNode(int node, String column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT " + column + " FROM SYS.MEMORY_NODES WHERE NODE = " + node)) {
      assertTrue(row.next());
      return row.getString(1);
    }
  }

  @Test
  void shouldExportViewOnEachMemoryNode() {
    for (MemoryNode node : nodes) {
      MeterRegistry own = new SimpleMeterRegistry();
      new MemoryNodeMetrics(node).bindTo(own);
      assertEquals(1, own.get("nelumbo.node.role").tag("role", "live").gauge().value());
      assertEquals(0, own.get("nelumbo.node.role").tag("role", "filling").gauge().value());
      assertEquals(gauge("nelumbo.pool.view"), own.get("nelumbo.node.view").gauge().value());
      assertEquals(3, own.get("nelumbo.node.view.live").gauge().value());
      assertEquals(3, own.get("nelumbo.node.view.nodes").gauge().value());
      assertEquals(0, own.get("nelumbo.node.fill").tag("state", "wanted").gauge().value());
      assertTrue(own.get("nelumbo.node.owner.silent").gauge().value() >= 0);
    }
  }
}
