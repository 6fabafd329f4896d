package org.nelumbo.soak.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A limit on the threads of a running process: existing threads stay, and no new one can be
 * started. It is set by a new control group if this process may create one ({@code pids.max}),
 * otherwise by {@code RLIMIT_NPROC}, which does not apply to root.
 */
public final class ThreadLimit implements AutoCloseable {
  private static final Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");
  private static final String MEMBERS = "cgroup.procs";
  private static final String MAX = "pids.max";

  private final ChildProcess process;
  private final Path group;

  private ThreadLimit(ChildProcess process, Path group) {
    this.process = process;
    this.group = group;
  }

  /** Returns true if this process may set such a limit. */
  public static boolean isPossible() {
    if (!isRoot()) {
      return true;
    }
    try {
      Path group = makeGroup("nelumbo-probe");
      if (group != null) {
        Files.delete(group);
      }
      return group != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Sets the limit. */
  public static ThreadLimit of(ChildProcess process) throws IOException, InterruptedException {
    Path group = makeGroup("nelumbo-" + process.pid());
    if (group != null) {
      Files.writeString(group.resolve(MEMBERS), Long.toString(process.pid()));
      Files.writeString(group.resolve(MAX), "1");
    } else {
      process.limit("--nproc=1:");
    }
    return new ThreadLimit(process, group);
  }

  /** Returns null if that is not permitted. */
  private static Path makeGroup(String name) throws IOException {
    Path own = ownGroup();
    if (own == null || !Files.isWritable(own)) {
      return null;
    }
    Path group = own.resolve(name);
    Files.createDirectories(group);
    if (Files.isWritable(group.resolve(MAX))) {
      return group;
    }
    Files.delete(group);
    return null;
  }

  /** Returns null if the process has no group that counts threads. */
  private static Path ownGroup() throws IOException {
    Path known = Path.of("/proc/self/cgroup");
    Path found = null;
    for (String line : Files.exists(known) ? Files.readAllLines(known) : List.<String>of()) {
      String[] fields = line.split(":", 3);
      Path below = Path.of("/").relativize(Path.of(fields[2]));
      if (List.of(fields[1].split(",", -1)).contains("pids")) {
        return existing(CONTROL_GROUPS.resolve("pids").resolve(below));
      } else if (fields[1].isEmpty()) {
        found = existing(CONTROL_GROUPS.resolve(below));
      }
    }
    return found;
  }

  private static Path existing(Path group) {
    return Files.exists(group.resolve(MEMBERS)) ? group : null;
  }

  /** Removes the limit; does nothing for a process that has ended. */
  @Override
  public void close() throws IOException {
    if (group != null) {
      if (process.isAlive()) {
        Files.writeString(group.resolve(MAX), "max");
        Files.writeString(group.resolveSibling(MEMBERS), Long.toString(process.pid()));
      }
      Files.delete(group);
    } else if (process.isAlive()) {
      try {
        process.limit("--nproc=" + hardLimit() + ":");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String hardLimit() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/limits")).stream()
        .filter(line -> line.startsWith("Max processes"))
        .map(line -> line.split("\\s{2,}", -1)[2])
        .findAny()
        .orElseThrow();
  }
}
