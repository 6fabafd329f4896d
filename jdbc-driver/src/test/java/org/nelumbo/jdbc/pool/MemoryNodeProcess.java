package org.nelumbo.jdbc.pool;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;

/** A memory node in a process of its own, to be killed. Main: port, bytes; prints the port. */
final class MemoryNodeProcess {
  private final long bytes;
  private final int port = FreshAddress.next().port();
  private Process process;

  /** Starts it. */
  MemoryNodeProcess(long bytes) throws IOException {
    this.bytes = bytes;
    start();
  }

  public static void main(String[] arguments) throws Exception {
    try (MemoryNode node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(Long.parseLong(arguments[1])),
            new NodeAddress("127.0.0.1", Integer.parseInt(arguments[0])),
            MemoryNode.Options.DEFAULT)) {
      node.start();
      System.out.println(node.address().port());
      node.awaitClose();
    }
  }

  /** Starts it, empty, on the port it had. */
  void start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                MemoryNodeProcess.class.getName(),
                Integer.toString(port),
                Long.toString(bytes))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII);
    if (!Integer.toString(port).equals(reader.readLine())) {
      throw new IOException("it has not started");
    }
  }

  /** Kills the process by signal 9 and waits for its end. */
  void kill() throws InterruptedException {
    destroy();
    process.waitFor();
  }

  /** Kills the process without waiting for its end. */
  void destroy() {
    process.toHandle().destroyForcibly();
  }

  NodeAddress address() {
    return new NodeAddress("127.0.0.1", port);
  }
}
