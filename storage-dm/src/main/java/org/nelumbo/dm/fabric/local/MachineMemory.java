package org.nelumbo.dm.fabric.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Memory that this process can have: of the machine, and of the control groups (version 1 or 2) in
 * which it is. Whoever takes more than a group's limit is ended by the system. Only Linux is known;
 * elsewhere there seems to be no bound.
 */
public final class MachineMemory {
  /** There is no bound, or it is not known. */
  public static final long UNBOUNDED = Long.MAX_VALUE;

  private static final long KIBIBYTE = 1024;

  private final Path root;

  /** Files of a control group, by version. */
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

    /** Limit of the group in that directory. */
    long limit(Path directory) {
      return number(directory.resolve(limit));
    }

    /** What the group has not used of its limit; files that are cached count as not used. */
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
   * @param root where {@code proc} and {@code sys} are
   */
  MachineMemory(Path root) {
    this.root = root;
  }

  /** The memory of this machine, for this process. */
  public static MachineMemory ofSystem() {
    return new MachineMemory(Path.of("/"));
  }

  /** Bytes that all that runs with this process can have at most. */
  public long limitBytes() {
    long machine = kibibytes("MemTotal:");
    return Math.min(machine, leastOf(Group.V1::limit, Group.V2::limit));
  }

  /** Bytes that can be had now. */
  long availableBytes() {
    long machine = kibibytes("MemAvailable:");
    return Math.min(machine, leastOf(Group.V1::available, Group.V2::available));
  }

  private long kibibytes(String name) {
    long number = word(root.resolve("proc/meminfo"), name, UNBOUNDED);
    return number == UNBOUNDED ? UNBOUNDED : number * KIBIBYTE;
  }

  /** The least of all groups in which this process is, from the innermost to the outermost. */
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

  /** A container may see its own group where others see the outermost. */
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

  /** The number in a file; no bound if there is no such file, or the word {@code max} in it. */
  private static long number(Path file) {
    List<String> lines = lines(file);
    return lines.isEmpty() ? UNBOUNDED : number(lines.getFirst().strip());
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : UNBOUNDED;
  }

  /** The number behind a word at the beginning of a line. */
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
