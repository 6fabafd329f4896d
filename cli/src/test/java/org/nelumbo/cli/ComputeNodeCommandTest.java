package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import picocli.CommandLine;

/** Compute nodes as processes that share a pool with this process. */
@Timeout(180)
class ComputeNodeCommandTest {
  private static final String SECRET = "nobody has thought of it";

  private final StringWriter output = new StringWriter();
  private final List<Process> processes = new ArrayList<>();
  private MemoryNode memory;
  private String url;

  @BeforeEach
  void startMemoryNode() throws IOException {
    memory =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(32 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT.withSecret(SECRET));
    memory.start();
    url = "jdbc:nelumbo://" + memory.address() + "/shop?password=";
  }

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process each : processes) {
      each.destroyForcibly().waitFor();
    }
    memory.close();
  }

  private int run(String... arguments) {
    output.getBuffer().setLength(0);
    CommandLine line = NelumboCommand.commandLine();
    line.setErr(new PrintWriter(output)).setOut(new PrintWriter(output));
    return line.execute(arguments);
  }

  private void assertSays(String part) {
    assertTrue(output.toString().contains(part), output::toString);
  }

  @Test
  void shouldReportWhyPoolCannotBeOpened() {
    assertEquals(2, run("compute-node", "jdbc:nelumbo:mem:shop"));
    assertSays("names no memory nodes");
    assertEquals(2, run("compute-node", url + SECRET, "--metrics", "at:no:port"));
    assertSays("write HOST:PORT");
    assertEquals(3, run("compute-node", url + SECRET));
    assertSays("there is no pool in memory nodes");
    assertSays("password=...");
    assertEquals(3, run("compute-node", url + "guessed"));
    assertSays("the secret is wrong");
  }

  @Test
  void shouldOwnItsShareOfTheLocksUntilItIsToldToStop() throws Exception {
    String own = url + SECRET;
    try (Connection connection = DriverManager.getConnection(own + "&create=true")) {
      execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
      assertEquals("MEMBER", text(connection, "SELECT STATE FROM SYS.COMPUTE_NODES"));
      assertEquals(0, run("shards", own));
      assertSays("compute_node=1 shards=4096 owned=0-4095");
      assertEquals(2, run("shards", "move", own, "0-7", "99"));
      assertSays("no compute node 99 shares the pool");
      BufferedReader said = start(own, "--metrics=127.0.0.1:0");
      awaitLine(said, "compute node joined pool shop with the id ");
      String metrics = awaitLine(said, "metrics are at ").replaceAll(".* ", "");
      awaitShards(connection, "4096"); // this process is a non-voting client
      assertEquals(
          "0", text(connection, "SELECT SHARDS FROM SYS.COMPUTE_NODES WHERE IS_SELF AND IS_GUEST"));
      moveByHand(own, connection);
      awaitShards(connection, "2048,2048");
      for (int shard = 0; shard < 4096; shard += 128) {
        execute(connection, "INSERT INTO t VALUES (" + shard + ")");
      }
      assertEquals("1", text(connection, "SELECT COUNT(*) FROM SYS.COMPUTE_NODES WHERE IS_SELF"));
      assertEquals(
          "1",
          text(
              connection,
              "SELECT COUNT(*) FROM SYS.COMPUTE_NODES WHERE LOCAL_LOCKS > 0 AND REMOTE_LOCKS > 0"));
      assertEquals(0, run("status", own));
      assertSays("compute_nodes=2 ");
      assertEquals(2, output.toString().split("shards=2048 ", -1).length - 1, output::toString);
      assertSays(" guest=yes shards=2048 ");
      assertEquals(0, run("shards", own));
      assertSays(" guest=yes shards=2048 owned=0-2047");
      assertEquals(0, run("shards", "release", own, "0-4095"));
      awaitShards(connection, "4096");
      try (InputStream in = URI.create(metrics).toURL().openStream()) {
        String page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(page.contains("nelumbo_cluster_members{database=\"shop\"} 2.0"), page);
      }
      processes.getFirst().toHandle().destroy();
      awaitLine(said, "compute node has left the pool");
      assertEquals(0, processes.getFirst().waitFor());
      awaitShards(connection, "4096");
      assertEquals("32", text(connection, "SELECT COUNT(*) FROM t"));
      execute(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldShowAndMoveShardsOfAPoolInFiles(@TempDir Path directory) throws Exception {
    String own = "jdbc:nelumbo:shm:" + directory.resolve("shop");
    assertEquals(2, run("shards", "jdbc:nelumbo:shm:"));
    assertSays("write jdbc:nelumbo:shm:PATH");
    assertEquals(3, run("shards", own));
    assertSays("there is no pool");
    assertEquals(3, run("status", own));
    assertSays("there is no pool");
    Files.createFile(directory.resolve("empty"));
    assertEquals(6, run("status", "jdbc:nelumbo:shm:" + directory.resolve("empty")));
    assertSays("no pool has been created here");
    try (Connection connection = DriverManager.getConnection(own + "?memory=32m")) {
      execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
      assertEquals(0, run("shards", own));
      assertSays("compute_node=1 shards=4096 owned=0-4095");
      assertEquals(2, run("status", own, "--wait", "live"));
      assertEquals(0, run("status", own));
      assertSays("pool nodes=1 bytes=33554432 copies=1 state=live");
      BufferedReader said = start(own);
      awaitLine(said, "compute node joined pool");
      awaitShards(connection, "4096"); // this process is a non-voting client
      String self = text(connection, "SELECT NODE FROM SYS.COMPUTE_NODES WHERE IS_SELF");
      assertEquals(2, run("shards", "move", own, "0-7", "99"));
      assertSays("no compute node 99 shares the pool");
      assertEquals(0, run("shards", "move", own, "0-2047", self));
      assertSays("compute_node=" + self + " guest=yes shards=2048 owned=0-2047");
      assertSays("compute_node=" + self + " placed=0-2047");
      assertEquals(0, run("status", own));
      assertSays("compute_nodes=2 configuration=");
      assertEquals(
          2,
          output.toString().split(" state=member name=process ", -1).length - 1,
          output::toString);
      assertEquals(0, run("shards", "release", own, "0-4095"));
      awaitShards(connection, "4096");
      processes.getFirst().toHandle().destroy();
      awaitLine(said, "compute node has left the pool");
      assertEquals(0, processes.getFirst().waitFor());
      awaitShards(connection, "4096");
      execute(connection, "SHUTDOWN");
    }
    assertEquals(0, run("shards", own));
    assertSays("no compute node has the pool open");
    assertEquals(3, run("shards", "move", own, "0-7", "1"));
    assertSays("no compute node has the pool open");
  }

  /** Moves the first half of the shards to this process, although it is a non-voting client. */
  private void moveByHand(String own, Connection connection) throws SQLException {
    String self = text(connection, "SELECT NODE FROM SYS.COMPUTE_NODES WHERE IS_SELF");
    assertEquals(2, run("shards", "move", own, "4096", self));
    assertSays("'4096' is not a range of shards, which are 0 to 4095");
    assertEquals(2, run("shards", "move", own, "0-7", "99"));
    assertSays("no compute node 99 shares the pool");
    assertEquals(2, run("shards", "move", own, "0-4094/2", self));
    assertSays("pinned shards would be 2048 runs; the limit is 64");
    assertEquals(0, run("shards", "move", own, "0-2047", self));
    assertSays("placed=0-2047");
    assertEquals(
        "2048", text(connection, "SELECT COUNT(*) FROM SYS.SHARDS WHERE PLACED_AT = " + self));
  }

  private BufferedReader start(String... arguments) throws IOException {
    List<String> command = RunCache.java();
    command.add("-Xmx128m");
    command.addAll(List.of(NelumboCommand.class.getName(), "compute-node"));
    command.addAll(List.of(arguments));
    processes.add(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start());
    return processes.getLast().inputReader(StandardCharsets.UTF_8);
  }

  private static String awaitLine(BufferedReader said, String part) throws IOException {
    String line = said.readLine();
    while (line != null && !line.contains(part)) {
      line = said.readLine();
    }
    assertTrue(line != null, () -> "the compute node has not said: " + part);
    return line;
  }

  private static void awaitShards(Connection connection, String wanted) throws SQLException {
    String query =
        "SELECT LISTAGG(CAST(N AS VARCHAR(10)), ',') FROM"
            + " (SELECT NODE, COUNT(*) AS N FROM SYS.SHARDS GROUP BY NODE)";
    while (!text(connection, query).equals(wanted)) {
      LockSupport.parkNanos(100_000);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
      return String.valueOf(rows.getString(1));
    }
  }
}
