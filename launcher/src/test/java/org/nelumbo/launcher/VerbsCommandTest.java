package org.nelumbo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import picocli.CommandLine;

class VerbsCommandTest {
  private static final int LINES = 2 * 3 * 3 + 2 * 3;

  private final StringWriter output = new StringWriter();

  private int run(String url) {
    output.getBuffer().setLength(0);
    CommandLine line = Main.commandLine();
    line.setErr(new PrintWriter(output, true)).setOut(new PrintWriter(output, true));
    return line.execute("bench", "verbs", "--duration=1ms", url);
  }

  private void assertMeasures(String url) {
    assertEquals(0, run(url), output::toString);
    List<String> lines = output.toString().lines().toList();
    assertEquals(1 + LINES, lines.size(), output::toString);
    assertTrue(lines.getLast().matches("FAA +8 +32 +[0-9.]+ +[0-9.]+ +[0-9,]+"), lines::getLast);
  }

  private void assertRefuses(int status, String url, String said) {
    assertEquals(status, run(url), output::toString);
    assertTrue(output.toString().contains(said), output::toString);
  }

  private static MemoryNode startNode() throws IOException {
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(16 << 20),
            new NodeAddress("127.0.0.1", 0),
            MemoryNode.Options.DEFAULT);
    node.start();
    return node;
  }

  @Test
  void shouldMeasureMemory() {
    assertMeasures("jdbc:nelumbo:mem:");
  }

  @Test
  void shouldMeasureSharedFileAndRemoveIt(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("pool");
    assertMeasures("jdbc:nelumbo:shm:" + path);
    assertFalse(Files.exists(path));
    Files.writeString(path, "mine");
    assertRefuses(2, "jdbc:nelumbo:shm:" + path, "name an unused path");
    assertEquals("mine", Files.readString(path));
  }

  @Test
  void shouldMeasureAMemoryNodeThatStaysEmpty() throws Exception {
    try (MemoryNode node = startNode()) {
      String url = "jdbc:nelumbo://" + node.address() + "/shop";
      assertMeasures(url);
      try (Connection connection = DriverManager.getConnection(url + "?create=new");
          Statement statement = connection.createStatement()) {
        statement.execute("SHUTDOWN");
      }
      assertRefuses(3, url, "it must be empty");
      assertRefuses(3, url.replace("://", ":rdma://"), "start it with --rdma DEVICE");
    }
  }

  @Test
  void shouldRejectUnsupportedUrls() {
    assertRefuses(2, "jdbc:nelumbo:file:/tmp/pool", "names no memory nodes");
    assertRefuses(2, "jdbc:nelumbo://a:no:port/shop", "HOST:PORT");
    assertRefuses(2, "jdbc:nelumbo:rdma://a:1/b?rdmaDevice=a:b", "write DEVICE");
    assertRefuses(2, "jdbc:nelumbo:rdma://a:1/b?provider=c", "neither ibverbs nor disni");
  }
}
