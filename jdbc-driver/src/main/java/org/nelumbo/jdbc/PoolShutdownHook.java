package org.nelumbo.jdbc;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.nelumbo.planner.open.LocalDatabase;

/**
 * Shutdown hook that closes pools which outlive the JVM, so that the next attach need not recover
 * them. It closes only databases without open sessions: the others may be at work, and get a short
 * time to end in good order themselves. The end of the JVM is never held up for long. A pool that
 * is not closed by then is recovered by the next attach, as after any other end.
 */
final class PoolShutdownHook implements Runnable {
  private static final long SESSIONS_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long CLOSING_MILLIS = 5_000;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final Supplier<List<LocalDatabase>> databases;

  private PoolShutdownHook(Supplier<List<LocalDatabase>> databases) {
    this.databases = databases;
  }

  /** Installs the hook, unless the JVM is ending already. Called once. */
  static void install(Supplier<List<LocalDatabase>> databases) {
    try {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(new PoolShutdownHook(databases), "nelumbo-exit"));
    } catch (IllegalStateException e) {
      // the JVM is ending: a pool that is opened now is not closed
    }
  }

  @Override
  public void run() {
    Thread closing = new Thread(this::closeIdle, "nelumbo-closing");
    closing.setDaemon(true);
    closing.start();
    try {
      closing.join(CLOSING_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeIdle() {
    long end = System.nanoTime() + SESSIONS_NANOS;
    while (!closeThoseWithoutSessions() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /**
   * Closes databases without sessions.
   *
   * @return whether these were all
   */
  private boolean closeThoseWithoutSessions() {
    boolean all = true;
    for (LocalDatabase database : databases.get()) {
      all &= database.closeIfIdle();
    }
    return all;
  }
}
