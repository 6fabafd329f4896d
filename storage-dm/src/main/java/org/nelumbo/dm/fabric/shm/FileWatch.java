package org.nelumbo.dm.fabric.shm;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the files of open memory nodes: every two seconds a background thread checks that each
 * file still exists under its name, and logs a missing or replaced file once.
 */
final class FileWatch {
  private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);
  private static final Environment ENVIRONMENT = new SystemEnvironment();
  private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The files, with the last problem logged for each. */
  private static final Map<NodeFile, String> FILES = new ConcurrentHashMap<>();

  private static final AtomicBoolean RUNS = new AtomicBoolean();

  private FileWatch() {}

  static void add(NodeFile file) {
    FILES.put(file, "");
    if (RUNS.compareAndSet(false, true)) {
      ENVIRONMENT.thread("nelumbo-files", FileWatch::run).start();
    }
  }

  static void remove(NodeFile file) {
    FILES.remove(file);
  }

  private static void run() {
    do {
      while (!FILES.isEmpty()) {
        ENVIRONMENT.parkNanos(PERIOD_NANOS);
        FILES.keySet().forEach(FileWatch::look);
      }
      RUNS.set(false);
    } while (!FILES.isEmpty() && RUNS.compareAndSet(false, true));
  }

  private static void look(NodeFile file) {
    String problem = file.problem();
    String before = FILES.replace(file, problem);
    if (before != null && !problem.isEmpty() && !problem.equals(before)) {
      LOG.error("{}", problem);
    }
  }
}
