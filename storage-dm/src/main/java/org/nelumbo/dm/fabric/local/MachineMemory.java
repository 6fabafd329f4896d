package org.nelumbo.dm.fabric.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Reads how much memory this process can use: the memory of the machine, limited by the control
 * groups (version 1 or 2) of the process. The system kills a process that exceeds the limit of its
 * group. Only Linux is supported; on other systems the memory appears unlimited.
 */
public final class MachineMemory {
  /** Result if there is no limit, or if the limit is unknown. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  private static final long KIBIBYTE = 1024;

  private final Path root;

  private enum Group {
    V1(
        "sys/fs/cgroup/memory",
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "total_inactive_file"),
    V2("sys/fs/cgroup", "memory.max", "memory.current", "inactive_file");

    private final String mount;
    private final String limit;
    private final String usage;
    private final String reclaimable;

    Group(String mount, String limit, String usage, String reclaimable) {
      this.mount = mount;
      this.limit = limit;
      this.usage = usage;
      this.reclaimable = reclaimable;
    }

    /** Returns the limit of the group in a directory. */
    long limit(Path directory) {
      return number(directory.resolve(limit));
    }

    /** Returns the unused part of the group's limit; cached files count as unused. */
    long available(Path directory) {
      long most = limit(directory);
      if (most == UNBOUNDED) {
        return UNBOUNDED;
      }
      long used = number(directory.resolve(usage));
      long cached = word(directory.resolve("memory.stat"), reclaimable, 0);
      return used == UNBOUNDED ? UNBOUNDED : Math.max(0, most - Math.max(0, used - cached));
    }
  }

  /**
   * Creates a reader of the files below a directory.
   *
   * @param root directory that contains {@code proc} and {@code sys}
   */
  MachineMemory(Path root) {
    this.root = root;
  }

  /** Returns the memory of this machine that this process can use. */
  public static MachineMemory ofSystem() {
    return new MachineMemory(Path.of("/"));
  }

  /**
   * Returns the maximum of bytes that this process and the other processes of its groups can use
   * together.
   */
  public long limitBytes() {
    long machine = kibibytes("MemTotal:");
    return Math.min(machine, leastOf(Group.V1::limit, Group.V2::limit));
  }

  /** Returns the bytes that are available now. */
  long availableBytes() {
    long machine = kibibytes("MemAvailable:");
    return Math.min(machine, leastOf(Group.V1::available, Group.V2::available));
  }

  private long kibibytes(String name) {
    long number = word(root.resolve("proc/meminfo"), name, UNBOUNDED);
    return number == UNBOUNDED ? UNBOUNDED : number * KIBIBYTE;
  }

  private long leastOf(ToLongFunction<Path> ofV1, ToLongFunction<Path> ofV2) {
    long least = UNBOUNDED;
    for (String line : lines(root.resolve("proc/self/cgroup"))) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains("memory")) {
        least = Math.min(least, leastUpwards(Group.V1, parts[2], ofV1));
      } else if (parts.length == 3 && parts[0].equals("0")) {
        least = Math.min(least, leastUpwards(Group.V2, parts[2], ofV2));
      }
    }
    return least;
  }

  /**
   * A container may see its own group at the path where other processes see the outermost group.
   */
  private long leastUpwards(Group group, String name, ToLongFunction<Path> value) {
    Path mount = root.resolve(group.mount);
    Path directory = mount.resolve(name.replaceFirst("^/+", "")).normalize();
    long least = UNBOUNDED;
    while (directory != null && directory.startsWith(mount)) {
      least = Math.min(least, value.applyAsLong(directory));
      directory = directory.getParent();
    }
    return least;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  private static long number(Path file) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? UNBOUNDED : number(lines.getFirst().strip());
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : UNBOUNDED;
  }

  private static long word(Path file, String name, long otherwise) {
    for (String line : lines(file)) {
      String[] words = line.split("\\s+", -1);
      if (words.length > 1 && words[0].equals(name)) {
        return number(words[1]);
      }
    }
    return otherwise;
  }
}
