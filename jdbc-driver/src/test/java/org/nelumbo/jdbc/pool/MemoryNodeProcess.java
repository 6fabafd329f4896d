package org.nelumbo.jdbc.pool;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.database.open.NodePool;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.shm.KeptMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.dm.replication.view.FreshHeader;

/**
 * A memory node in its own process, to be killed. Main: port, bytes, and optionally the directory
 * of its log, next to which it keeps its memory, and the directory of its archive. Prints the port.
 */
final class MemoryNodeProcess {
  private static final int SEGMENT_BYTES = 1 << 16;

  private final long bytes;
  private final int port = FreshAddress.next().port();

  /** Directory of the log; null without a log. */
  private final Path directory;

  /** Directory of the archive; null without one. */
  private final Path archive;

  private Process process;

  /** Starts a memory node without a log. */
  MemoryNodeProcess(long bytes) throws IOException {
    this(bytes, null);
  }

  /** Starts a memory node that keeps a log in a directory. */
  MemoryNodeProcess(long bytes, Path directory) throws IOException {
    this(bytes, directory, null);
  }

  /** Starts a memory node whose log, in small files, has an archive. */
  MemoryNodeProcess(long bytes, Path directory, Path archive) throws IOException {
    this.bytes = bytes;
    this.archive = archive;
    this.directory = directory;
    start();
  }

  public static void main(String[] arguments) throws Exception {
    Environment environment = new SystemEnvironment();
    long bytes = Long.parseLong(arguments[1]);
    NodeMemory memory;
    MemoryNode.Options options = MemoryNode.Options.DEFAULT;
    NodeLog log = null;
    if (arguments.length > 2) {
      Path directory = Path.of(arguments[2]);
      Path votes = Path.of(arguments[2] + "-votes");
      options = options.withVotes(votes);
      boolean isAlone = !MemoryNode.hasVoted(environment, votes);
      Files.createDirectories(directory);
      memory = KeptMemory.open(directory.getParent(), directory, bytes, () -> !isAlone);
      try (Channel channel =
          new LocalFabric(new NodeMemory[] {memory}).openChannel(NodeHeaderLayout.LENGTH)) {
        FreshHeader.write(channel, memory.leftBytes(), environment.randomLong());
      }
      log =
          NodePool.open(
              environment,
              DirectoryDisk.open(Path.of(arguments[2]), "a test"),
              redoOptions(arguments),
              isAlone ? new LocalFabric(new NodeMemory[] {memory}) : null,
              2);
    } else {
      memory = LocalMemory.reserve(bytes);
    }
    try (MemoryNode node =
        new MemoryNode(
            environment,
            memory,
            new NodeAddress("127.0.0.1", Integer.parseInt(arguments[0])),
            options,
            log)) {
      node.start();
      System.out.println(node.address().port());
      node.awaitClose();
    }
  }

  private static RedoOptions redoOptions(String[] arguments) {
    if (arguments.length < 4) {
      return RedoOptions.DEFAULT;
    }
    Path archive = Path.of(arguments[3]);
    return RedoOptions.DEFAULT
        .withSegmentBytes(SEGMENT_BYTES)
        .withNodeArchive(() -> DirectoryDisk.openAnywhere(archive, "a test"));
  }

  /** Starts the process again on its old port. The node is empty unless it has a log. */
  void start() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
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
                Long.toString(bytes)));
    if (directory != null) {
      command.add(directory.toString());
    }
    if (archive != null) {
      command.add(archive.toString());
    }
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII);
    if (!Integer.toString(port).equals(reader.readLine())) {
      throw new IOException("it has not started");
    }
  }

  /** Kills the process with signal 9 and waits for its end. */
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
