package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import picocli.CommandLine;

/** {@code nelumbo init} on memory nodes that are still starting. */
@Timeout(120)
class InitCommandTest {
  private static MemoryNode node(int port, Supplier<String> loading) throws IOException {
    MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(16 << 20),
            new NodeAddress("127.0.0.1", port),
            MemoryNode.Options.DEFAULT,
            loading);
    node.start();
    return node;
  }

  private static int init(Object nodes, StringWriter output, String... options) {
    CommandLine line = NelumboCommand.commandLine();
    line.setErr(new PrintWriter(output, true)).setOut(new PrintWriter(output, true));
    String[] all = new String[options.length + 2];
    all[0] = "init";
    all[1] = "jdbc:nelumbo://" + nodes + "/shop";
    System.arraycopy(options, 0, all, 2, options.length);
    return line.execute(all);
  }

  @Test
  void shouldReportLoadingNode() throws IOException {
    StringWriter output = new StringWriter();
    try (MemoryNode node = node(0, () -> "half of it")) {
      assertEquals(3, init(node.address(), output), output::toString);
    }
    assertTrue(output.toString().contains("is loading its pool"), output::toString);
  }

  @Test
  void shouldWaitForANodeThatIsLoadingAndForOneThatIsStarting() throws Exception {
    StringWriter output = new StringWriter();
    CompletableFuture<Integer> status;
    int port;
    try (MemoryNode loading = node(0, () -> "half of it")) {
      port = loading.address().port();
      status = CompletableFuture.supplyAsync(() -> init(loading.address(), output, "--wait=100s"));
      while (loading.counters().accepted() < 2) { // one request was refused
        LockSupport.parkNanos(1_000_000);
      }
    }
    try (MemoryNode _ = node(port, null)) {
      assertEquals(0, status.get(), output::toString);
    }
    assertTrue(output.toString().contains("created a new, empty pool"), output::toString);
  }

  @Test
  void shouldWaitForOneOfSeveralNodes() throws Exception {
    StringWriter output = new StringWriter();
    NodeAddress late;
    try (MemoryNode node = node(0, null)) {
      late = node.address();
    }
    try (MemoryNode first = node(0, null);
        MemoryNode second = node(0, null)) {
      String nodes = late + "," + first.address() + "," + second.address();
      CompletableFuture<Integer> status =
          CompletableFuture.supplyAsync(() -> init(nodes, output, "--wait=100s"));
      while (first.counters().accepted() < 2) { // the other one was not reachable
        LockSupport.parkNanos(1_000_000);
      }
      try (MemoryNode _ = node(late.port(), null)) {
        assertEquals(0, status.get(), output::toString);
      }
    }
  }
}
