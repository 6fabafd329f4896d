package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Identifies a process of this machine, so that a later process with the same process id is not
 * mistaken for it.
 *
 * @param pid process id, in its namespace
 * @param start start time in ticks of the system; 0 if unknown
 * @param namespace PID namespace, which differs between containers; 0 if unknown
 */
record ProcessIdentity(long pid, long start, long namespace) {
  /**
   * Index of the start time among the fields of {@code /proc/PID/stat} behind the name, which ends
   * with the last parenthesis.
   */
  private static final int START_FIELD = 19;

  /** Returns the identity of this process. */
  static ProcessIdentity own() {
    long pid = ProcessHandle.current().pid();
    return new ProcessIdentity(pid, start(pid), ownNamespace());
  }

  /** Returns true if the process, if it exists, is visible to this process. */
  boolean isSeen() {
    return start != 0 && namespace != 0 && namespace == ownNamespace();
  }

  /**
   * Kills the process if it exists and this process may do so.
   *
   * @return true if the signal was sent, or the process does not exist
   */
  boolean kill() {
    if (!isSeen()) {
      return false;
    }
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    return process.isEmpty() || start(pid) != start || process.get().destroyForcibly();
  }

  private static long start(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return Long.parseLong(fields[START_FIELD]);
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  private static long ownNamespace() {
    try {
      String name = Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
      return Long.parseLong(name.replaceAll("\\D", ""));
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
