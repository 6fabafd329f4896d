package org.nelumbo.dm.node;

import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;

/**
 * A limit on how often one kind of event is logged, so that a peer that causes it at will cannot
 * fill the log. The first event is logged, then at most one in ten seconds. Thread-safe.
 */
final class LogThrottle {
  static final long INTERVAL_NANOS = 10_000_000_000L;

  private final Environment environment;
  private final ReentrantLock lock = new ReentrantLock();
  private long events;
  private long loggedNanos;
  private boolean isLogged;

  LogThrottle(Environment environment) {
    this.environment = environment;
  }

  /**
   * Counts an event. Returns the number of events since the last line, including this one, if a
   * line may be logged now; otherwise 0.
   */
  long admit() {
    lock.lock();
    try {
      events++;
      long now = environment.nanoTime();
      if (isLogged && now - loggedNanos < INTERVAL_NANOS) {
        return 0;
      }
      isLogged = true;
      loggedNanos = now;
      long since = events;
      events = 0;
      return since;
    } finally {
      lock.unlock();
    }
  }
}
