package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Stops and restarts memory nodes that do not keep their data on disk, one after the other. */
@Timeout(180)
class RollingRestartTest {
  private static final int NODES = 3;
  private static final int ENDED_BY_SIGTERM = 143;

  private final List<Node> nodes = new ArrayList<>();

  /** A memory node process and its output. */
  private static final class Node {
    private final String[] options;
    private int port;
    private Process process;
    private BufferedReader said;

    Node(String... options) throws IOException {
      this.options = options;
      start();
    }

    void start() throws IOException {
      List<String> command = RunCache.java();
      command.addAll(
          List.of(
              "-Xmx64m",
              NelumboCommand.class.getName(),
              "memory-node",
              "--listen=127.0.0.1:" + port));
      command.addAll(List.of(options));
      if (!command.contains("--witness")) {
        command.add("--memory=16m");
      }
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      said = process.inputReader(StandardCharsets.UTF_8);
      String line = awaitLine(" listens at ");
      port = Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
    }

    String awaitLine(String part) throws IOException {
      String line = said.readLine();
      while (line != null && !line.contains(part)) {
        line = said.readLine();
      }
      assertTrue(line != null, () -> "the node has not said: " + part);
      return line;
    }

    /** Sends SIGTERM and leaves the streams open. */
    void terminate() {
      process.toHandle().destroy();
    }

    /** Stops the process and asserts that it exits normally. */
    void stop() throws InterruptedException {
      terminate();
      assertEquals(0, process.waitFor());
    }
  }

  @AfterEach
  void killAll() throws InterruptedException {
    for (Node node : nodes) {
      node.process.toHandle().destroyForcibly();
      node.process.waitFor();
    }
  }

  private String start(int count, String... options) throws IOException {
    StringBuilder url = new StringBuilder("jdbc:nelumbo://");
    for (int i = 0; i < count; i++) {
      nodes.add(new Node(options));
      url.append(i == 0 ? "" : ",").append("127.0.0.1:").append(nodes.get(i).port);
    }
    return url + "/rolling";
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
      return rows.getInt(1);
    }
  }

  private static void awaitLive(String url) {
    StringWriter output = new StringWriter();
    CommandLine line = NelumboCommand.commandLine();
    line.setOut(new PrintWriter(output)).setErr(new PrintWriter(output));
    assertEquals(
        0, line.execute("status", url, "--wait", "live", "--timeout", "60s"), () -> "" + output);
  }

  @Test
  void shouldLoseNoDataDuringRollingRestart() throws Exception {
    String url = start(NODES);
    AtomicInteger done = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<SQLException> failure = new AtomicReference<>();
    try (Connection connection = DriverManager.getConnection(url + "?create=true")) {
      execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
      Thread work =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try (Connection own = DriverManager.getConnection(url)) {
                      while (!over.get()) {
                        execute(own, "INSERT INTO t VALUES (" + done.get() + ")");
                        done.incrementAndGet();
                      }
                    } catch (SQLException e) {
                      failure.set(e);
                    }
                  });
      for (Node node : nodes) {
        node.stop();
        node.start();
        awaitLive(url);
      }
      over.set(true);
      work.join();
      assertEquals(null, failure.get());
      assertEquals(done.get(), number(connection, "SELECT COUNT(*) FROM t"));
      execute(connection, "SHUTDOWN");
    }
  }

  @Test
  void shouldSendOnlyMissingDataToRestartedDurableNode(@TempDir Path directory) throws Exception {
    StringBuilder url = new StringBuilder("jdbc:nelumbo://");
    for (int i = 0; i < NODES; i++) {
      Node node = new Node("--durable", "--data=" + directory.resolve("node" + i));
      nodes.add(node);
      url.append(i == 0 ? "" : ",").append("127.0.0.1:").append(node.port);
    }
    try (Connection connection = DriverManager.getConnection(url + "/rolling?create=true")) {
      execute(connection, "CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(100000))");
      for (int i = 0; i < 40; i++) {
        execute(connection, "INSERT INTO t VALUES (" + i + ", REPEAT('abcdefgh', 12500))");
      }
      nodes.getFirst().terminate();
      String said = nodes.getFirst().awaitLine("its memory stays in ");
      assertEquals(0, nodes.getFirst().process.waitFor());
      Path memory = Path.of(said.replaceAll(".* stays in (\\S+) .*", "$1"));
      assertTrue(Files.exists(memory), said);
      execute(connection, "INSERT INTO t VALUES (40, 'x')");
      nodes.getFirst().start();
      awaitLive(url + "/rolling");
      int sent = number(connection, "SELECT SUM(FILL_COPIED_BYTES) FROM SYS.MEMORY_NODES");
      int equal = number(connection, "SELECT SUM(FILL_EQUAL_BYTES) FROM SYS.MEMORY_NODES");
      assertTrue(2 * sent < equal, "sent=" + sent + " equal=" + equal);
      assertEquals(41, number(connection, "SELECT COUNT(*) FROM t"));
      execute(connection, "SHUTDOWN");
    }
    for (Node node : nodes) {
      node.terminate();
      String said = node.awaitLine("its memory stays in ");
      Files.delete(Path.of(said.replaceAll(".* stays in (\\S+) .*", "$1")));
    }
  }

  @Test
  void shouldKeepLastCopyUntilReplicatedOrUnneeded() throws Exception {
    String url = start(2, "--drain-timeout=10m");
    nodes.add(new Node("--witness"));
    url += "?create=true&witness=127.0.0.1:" + nodes.get(2).port;
    try (Connection connection = DriverManager.getConnection(url)) {
      execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
      nodes.get(0).stop();
      execute(connection, "INSERT INTO t VALUES (1)");
      nodes.get(1).terminate();
      nodes.get(1).awaitLine("has the last live copy of what process ");
      execute(connection, "INSERT INTO t VALUES (2)");
      nodes.get(0).start();
      nodes.get(1).awaitLine("this node is no longer needed");
      assertEquals(0, nodes.get(1).process.waitFor());
      assertEquals(2, number(connection, "SELECT COUNT(*) FROM t"));
      String live = "SELECT COUNT(*) FROM SYS.MEMORY_NODES WHERE STATE = 'LIVE'";
      while (number(connection, live) > 1) {
        LockSupport.parkNanos(100_000);
      }
      nodes.get(0).terminate();
      nodes.get(0).awaitLine("has the last live copy");
      execute(connection, "SHUTDOWN");
      assertEquals(0, nodes.get(0).process.waitFor());
    }
  }

  @Test
  void shouldEndAtOnceAtTheSecondSignal() throws Exception {
    String url = start(1, "--drain-timeout=10m");
    try (Connection connection = DriverManager.getConnection(url + "?create=true")) {
      execute(connection, "CREATE TABLE t (a INT PRIMARY KEY)");
      nodes.getFirst().terminate();
      nodes.getFirst().awaitLine("a second signal ends it at once");
      nodes.getFirst().terminate();
      assertEquals(ENDED_BY_SIGTERM, nodes.getFirst().process.waitFor());
    }
  }
}
