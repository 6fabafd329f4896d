package org.nelumbo.dm.fabric.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process of this machine, so that another one that gets its number later is not taken for it.
 *
 * @param pid its number, in its namespace
 * @param start when it was started, in ticks of the system; 0 if that is not known
 * @param namespace in which the number counts: those of two containers differ; 0 if not known
 */
record ProcessIdentity(long pid, long start, long namespace) {
  /** Fields of {@code /proc/PID/stat} behind the name, which ends with the last parenthesis. */
  private static final int START_FIELD = 19;

  /** This process. */
  static ProcessIdentity own() {
    long pid = ProcessHandle.current().pid();
    return new ProcessIdentity(pid, start(pid), ownNamespace());
  }

  /** Whether this process sees it, if it is there. */
  boolean isSeen() {
    return start != 0 && namespace != 0 && namespace == ownNamespace();
  }

  /**
   * Ends the process at once, if it is there and that is allowed.
   *
   * @return whether it was told to end, or was not there
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
