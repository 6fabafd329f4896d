package org.nelumbo.soak.rounds;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.nelumbo.dm.fabric.shm.KeptMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.soak.process.ChildProcess;
import org.nelumbo.soak.process.SmallDisk;

/** A memory node in its own process, which restarts on the same port. */
final class Node {
  private static final int NO_PORT = -1;
  private static final Pattern LISTENS = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
  private static final long START_SECONDS = 60;

  /** Time without heartbeats after which another client may take the pool over. */
  static final int LEASE_SECONDS = 3;

  private final int number;
  private final String memory;
  private final SmallDisk disk;
  private final Path data;
  private final boolean isDurable;
  private final File errors;
  private int port;
  private ChildProcess process;

  /**
   * Starts the memory node.
   *
   * @param disk file system that keeps its memory in a file; null if there is none
   * @param data other directory for its memory or its log; null if its memory is lost with the
   *     process
   * @param isDurable whether it keeps a log of commits
   */
  Node(int number, String memory, SmallDisk disk, Path data, boolean isDurable, File errors)
      throws IOException, InterruptedException {
    this.number = number;
    this.memory = memory;
    this.disk = disk;
    this.data = disk == null ? data : disk.directory();
    this.isDurable = isDurable;
    this.errors = errors;
    start();
  }

  /**
   * Starts the memory node, empty unless its memory is kept.
   *
   * @throws IOException if it ends at once, or is not ready in time
   */
  void start() throws IOException, InterruptedException {
    CompletableFuture<Integer> listening = new CompletableFuture<>();
    process =
        ChildProcess.java(
            List.of(isDurable ? "-Xmx128m" : "-Xmx64m", "-XX:TieredStopAtLevel=1"),
            command(),
            Map.of(),
            errors,
            line -> {
              Matcher matcher = LISTENS.matcher(line);
              if (matcher.find()) {
                listening.complete(Integer.valueOf(matcher.group(1)));
              }
            });
    CompletableFuture<Integer> ended = process.ended().thenApply(_ -> NO_PORT);
    try {
      port = listening.applyToEither(ended, found -> found).get(START_SECONDS, TimeUnit.SECONDS);
      if (port == NO_PORT) {
        throw new IOException("memory node " + number + " has ended at once; see " + errors);
      }
    } catch (ExecutionException | TimeoutException e) {
      process.close();
      throw new IOException("memory node " + number + " does not start; see " + errors, e);
    }
  }

  private List<String> command() {
    List<String> command =
        new ArrayList<>(
            List.of(
                "org.nelumbo.launcher.Main",
                "memory-node",
                "--listen",
                "127.0.0.1:" + port,
                "--memory",
                memory,
                "--lease",
                Integer.toString(LEASE_SECONDS)));
    if (isDurable) {
      command.add("--durable");
    }
    if (data != null) {
      command.add("--data=" + data);
      command.add("--preallocate=never");
    }
    return command;
  }

  /** Returns the file system that keeps its memory and can be filled; null if there is none. */
  SmallDisk disk() {
    return disk;
  }

  /** Returns true if the node's memory survives its process. */
  boolean hasMemoryFile() {
    return data != null;
  }

  /**
   * Returns the file that keeps its memory while it is down.
   *
   * @throws IOException if there is none
   */
  Path memoryFile() throws IOException {
    if (!isDurable) {
      return data.resolve("node");
    }
    String end = URLEncoder.encode(data.toRealPath().toString(), StandardCharsets.UTF_8);
    try (Stream<Path> files = Files.list(KeptMemory.PLACE)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(end))
          .findFirst()
          .orElseThrow(() -> new IOException("no memory of " + data + " in " + KeptMemory.PLACE));
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  ChildProcess process() {
    return process;
  }

  /** Returns true if its status reports a live copy of its pool, or the only copy. */
  boolean isLive() {
    try {
      String status =
          TcpFabric.status(new NodeAddress("127.0.0.1", port), number, TcpOptions.of("rounds"));
      return status.contains("role=live") || status.contains("copies=1 ");
    } catch (PoolOpenException e) {
      return false;
    }
  }
}
