package org.nelumbo.jdbc.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.nelumbo.database.open.LocalDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shutdown hook that closes pools which outlive the JVM, so that the next attach need not recover
 * them.
 *
 * <p>Open connections get time to finish: the hook waits until they have been idle for half a
 * second, but at most ten seconds. Then it rolls back the transactions in progress. The next attach
 * recovers a pool that cannot be closed in time, as after a crash.
 */
final class PoolShutdownHook implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(PoolShutdownHook.class);
  private static final long SESSIONS_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long CLOSING_MILLIS = 20_000;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Supplier<List<LocalDatabase>> databases;

  private PoolShutdownHook(Supplier<List<LocalDatabase>> databases) {
    this.databases = databases;
  }

  /** Installs the hook unless the JVM is already shutting down. Called once. */
  static void install(Supplier<List<LocalDatabase>> databases) {
    try {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(new PoolShutdownHook(databases), "nelumbo-exit"));
    } catch (IllegalStateException e) {
      // The JVM is shutting down: a pool that is opened now is not closed.
    }
  }

  @Override
  public void run() {
    List<Thread> closing = new ArrayList<>();
    for (LocalDatabase database : databases.get()) {
      Thread thread = new Thread(() -> close(database), "nelumbo-closing");
      thread.setDaemon(true);
      thread.start();
      closing.add(thread);
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSING_MILLIS);
    try {
      for (Thread thread : closing) {
        thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void close(LocalDatabase database) {
    try {
      long begin = System.nanoTime();
      long quietSince = begin;
      long before = database.activity();
      while (!database.closeIfIdle()) {
        LockSupport.parkNanos(POLL_NANOS);
        long now = System.nanoTime();
        long activity = database.activity();
        quietSince = activity == before && !database.isBusy() ? quietSince : now;
        before = activity;
        if (now - quietSince >= QUIET_NANOS || now - begin >= SESSIONS_NANOS) {
          database.close();
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("a pool was not closed cleanly, the next attach recovers it: {}", e.getMessage());
    }
  }
}
