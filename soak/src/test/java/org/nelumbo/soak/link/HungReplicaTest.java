package org.nelumbo.soak.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;

/** One of three replicas hangs or is slow: work continues, and the system views report the node. */
@Timeout(120)
class HungReplicaTest {
  private final List<MemoryNode> nodes = new ArrayList<>();
  private FaultyLink link;
  private Connection connection;

  @BeforeEach
  void start() throws IOException, SQLException {
    for (int i = 0; i < 3; i++) {
      nodes.add(
          new MemoryNode(
              new SystemEnvironment(),
              LocalMemory.reserve(32 << 20),
              new NodeAddress("127.0.0.1", 0),
              MemoryNode.Options.DEFAULT));
      nodes.getLast().start();
    }
    link =
        new FaultyLink(
            new InetSocketAddress(
                InetAddress.getLoopbackAddress(), nodes.getLast().address().port()));
    connection =
        DriverManager.getConnection(
            "jdbc:nelumbo://"
                + nodes.get(0).address()
                + ","
                + nodes.get(1).address()
                + ",127.0.0.1:"
                + link.port()
                + "/hung?create=true");
    run("CREATE TABLE t (a INT PRIMARY KEY, b INT)");
  }

  @AfterEach
  void stop() throws IOException, SQLException {
    run("SHUTDOWN");
    connection.close();
    link.close();
    nodes.forEach(MemoryNode::close);
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  private void awaitState(String state) throws SQLException {
    while (!state.equals(text("SELECT STATE FROM SYS.MEMORY_NODES WHERE NODE = 2"))) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void shouldContinueWithoutHungReplica() throws Exception {
    AtomicInteger done = new AtomicInteger();
    link.hold(Direction.TO_NODE);
    link.hold(Direction.TO_CLIENT);
    List<Thread> others = new ArrayList<>();
    List<SQLException> failures = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int first = 100 * i;
      others.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Connection other =
                            DriverManager.getConnection(connection.getMetaData().getURL());
                        Statement statement = other.createStatement()) {
                      for (int a = first; a < first + 100; a++) {
                        statement.execute("INSERT INTO t VALUES (" + a + ", 0)");
                        done.incrementAndGet();
                      }
                    } catch (SQLException e) {
                      synchronized (failures) {
                        failures.add(e);
                      }
                    }
                  }));
    }
    for (Thread other : others) {
      other.join();
    }
    assertEquals(List.of(), failures);
    assertEquals("OUT", text("SELECT STATE FROM SYS.MEMORY_NODES WHERE NODE = 2"));
    link.heal();
    awaitState("LIVE");
    assertEquals("300", text("SELECT COUNT(*) FROM t"));
    assertEquals(300, done.get());
  }

  @Test
  void shouldReportSlowNode() throws Exception {
    link.delay(Direction.TO_CLIENT, 20);
    String why = null;
    for (int a = 0; why == null; a++) {
      run("INSERT INTO t VALUES (" + a + ", 0)");
      why = text("SELECT WHY FROM SYS.MEMORY_NODES WHERE NODE = 2 AND STATE = 'LIVE'");
    }
    assertTrue(why.startsWith("responds slowly, and each write waits for it: after "), why);
    link.heal();
  }
}
