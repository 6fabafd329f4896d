package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
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
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;

/** Partitions on five memory nodes with three replicas of all data, over TCP. */
@Timeout(180)
class PartitionsTest {
  private static final int NODES = 5;
  private static final int WAREHOUSES = 5;
  private static final int ROWS = 2000;
  private static final int ROW_BYTES = 1000;

  private final MemoryNode[] nodes = new MemoryNode[NODES];
  private String url;

  @BeforeEach
  void open() throws IOException {
    for (int node = 0; node < NODES; node++) {
      nodes[node] =
          new MemoryNode(
              new SystemEnvironment(),
              LocalMemory.reserve(64 << 20),
              FreshAddress.next(),
              MemoryNode.Options.DEFAULT);
      nodes[node].start();
    }
    url =
        Arrays.stream(nodes)
            .map(node -> node.address().toString())
            .collect(Collectors.joining(",", "jdbc:nelumbo://", "/shop?create=true"));
  }

  @AfterEach
  void close() {
    for (MemoryNode node : nodes) {
      node.close();
    }
  }

  private static String value(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      assertTrue(row.next(), query);
      return row.getString(1);
    }
  }

  private static String partition(Connection connection, String columns, int shard)
      throws SQLException {
    return value(connection, "SELECT " + columns + " FROM SYS.PARTITIONS WHERE SHARD = " + shard);
  }

  private static long[] takenBytes(Connection connection) throws SQLException {
    long[] bytes = new long[NODES];
    for (int node = 0; node < NODES; node++) {
      bytes[node] =
          Long.parseLong(
              value(connection, "SELECT TAKEN_BYTES FROM SYS.MEMORY_NODES WHERE NODE = " + node));
    }
    return bytes;
  }

  private static void fill(Connection connection, int warehouse) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO stock VALUES (?, ?, ?)")) {
      for (int row = 0; row < ROWS; row++) {
        insert.setInt(1, warehouse);
        insert.setInt(2, row);
        insert.setString(3, "x".repeat(ROW_BYTES));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @Test
  void shouldGrowOnTheNodesOfAWarehouseOnly() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stock (w INT, i INT, t VARCHAR(1000), PRIMARY KEY (w, i))");
      connection.setAutoCommit(false);
      for (int warehouse = 1; warehouse <= WAREHOUSES; warehouse++) {
        long[] before = takenBytes(connection);
        fill(connection, warehouse);
        connection.commit();
        long[] after = takenBytes(connection);
        int primary = Integer.parseInt(partition(connection, "PRIMARY_NODE", warehouse));
        assertEquals(
            (primary + 1) % NODES + ", " + (primary + 2) % NODES,
            partition(connection, "BACKUP_NODES", warehouse));
        for (int node = 0; node < NODES; node++) {
          long grown = after[node] - before[node];
          boolean isIts = (node - primary + NODES) % NODES < 3;
          String what = "warehouse=" + warehouse + " node=" + node + " grown=" + grown;
          assertTrue(isIts ? grown >= ROWS * ROW_BYTES : grown < ROWS * ROW_BYTES / 2, what);
        }
      }
      connection.commit();
      statement.execute("SHUTDOWN");
    }
  }

  @Test
  void shouldStoreKeylessRowsOnNodesOfTheirTransaction() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stock (w INT, i INT, t VARCHAR(1000), PRIMARY KEY (w, i))");
      statement.execute("CREATE TABLE history (w INT, t VARCHAR(1000))");
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO stock VALUES (3, 0, 'a')");
      connection.commit();
      final long[] before = takenBytes(connection);
      for (int row = 1; row <= ROWS / 4; row++) {
        statement.execute("UPDATE stock SET t = 'b" + row + "' WHERE w = 3 AND i = 0");
        statement.execute("INSERT INTO history VALUES (3, '" + "x".repeat(ROW_BYTES) + "')");
        connection.commit();
      }
      long[] after = takenBytes(connection);
      int primary = Integer.parseInt(partition(connection, "PRIMARY_NODE", 3));
      for (int node = 0; node < NODES; node++) {
        long grown = after[node] - before[node];
        boolean isIts = (node - primary + NODES) % NODES < 3;
        String what = "node=" + node + " grown=" + grown;
        assertTrue(isIts == grown >= ROWS / 4 * ROW_BYTES, what);
      }
      connection.commit();
      statement.execute("SHUTDOWN");
    }
  }

  @Test
  void shouldReportNewPrimaryAndBackupsAfterNodeFailure() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      int logical = Integer.parseInt(partition(connection, "LOGICAL_NODE", 1));
      nodes[logical].close();
      String out = "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE STATE = 'OUT'";
      while (value(connection, out).equals("0")) {
        LockSupport.parkNanos(100_000);
      }
      assertEquals("" + (logical + 1) % NODES, partition(connection, "PRIMARY_NODE", 1));
      assertEquals("" + (logical + 2) % NODES, partition(connection, "BACKUP_NODES", 1));
      assertEquals("" + logical, partition(connection, "LOGICAL_NODE", 1));
      statement.execute("SHUTDOWN");
    }
  }

  @Test
  void shouldDistributeShardsOfFailedNodeOverRemainingNodes() throws SQLException {
    String three =
        Arrays.stream(nodes)
            .limit(3)
            .map(node -> node.address().toString())
            .collect(Collectors.joining(",", "jdbc:nelumbo://", "/three?create=true"));
    try (Connection connection = DriverManager.getConnection(three);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stock (w INT, i INT, t VARCHAR(1000), PRIMARY KEY (w, i))");
      fill(connection, 1);
      nodes[1].close();
      String out = "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE STATE = 'OUT'";
      while (value(connection, out).equals("0")) {
        LockSupport.parkNanos(100_000);
      }
      for (int node : new int[] {0, 2}) {
        int more =
            Integer.parseInt(
                value(
                    connection,
                    "SELECT COUNT(*) FROM SYS.PARTITIONS WHERE MOD(LOGICAL_NODE, 3) = 1 AND"
                        + " PRIMARY_NODE = "
                        + node));
        assertEquals(4096 / 6.0, more, 60, "node=" + node);
      }
      assertEquals(ROWS, Integer.parseInt(value(connection, "SELECT COUNT(*) FROM stock")));
      statement.execute("SHUTDOWN");
    }
  }

  @Test
  void shouldReuseFreedMemoryOfEachNodeAfterAttach() throws SQLException {
    long[] before;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stock (w INT, i INT, t VARCHAR(1000), PRIMARY KEY (w, i))");
      fill(connection, 2);
      statement.execute("DROP TABLE stock");
      before = takenBytes(connection);
      statement.execute("SHUTDOWN");
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE stock (w INT, i INT, t VARCHAR(1000), PRIMARY KEY (w, i))");
      fill(connection, 2);
      long[] after = takenBytes(connection);
      for (int node = 0; node < NODES; node++) {
        long grown = after[node] - before[node];
        assertTrue(grown < ROWS * ROW_BYTES / 2, "node=" + node + " grown=" + grown);
      }
      assertEquals(ROWS, Integer.parseInt(value(connection, "SELECT COUNT(*) FROM stock")));
      statement.execute("SHUTDOWN");
    }
  }
}
