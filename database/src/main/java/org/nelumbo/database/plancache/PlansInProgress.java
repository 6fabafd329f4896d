package org.nelumbo.database.plancache;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.limit.StatementLimits;

/**
 * The plans that are being made. A thread that needs one of them waits until it is made, instead of
 * making it again: when a program starts, all its threads run the same statements at once. If the
 * first thread fails or is cancelled, the next one makes the plan. Thread-safe.
 */
final class PlansInProgress {
  private static final long POLL_NANOS = 10_000_000;

  /** Longest time that a thread waits before it makes a plan of its own. */
  private static final long LIMIT_NANOS = 5_000_000_000L;

  private final Environment environment;
  private final Map<Object, Making> inProgress = new ConcurrentHashMap<>();

  /** A plan that one thread makes, and the threads that wait for it. */
  private static final class Making {
    final Queue<Thread> waiters = new ConcurrentLinkedQueue<>();
    volatile boolean hasEnded;

    void end() {
      hasEnded = true;
      for (Thread waiter : waiters) {
        LockSupport.unpark(waiter);
      }
    }
  }

  PlansInProgress(Environment environment) {
    this.environment = environment;
  }

  /**
   * Returns the plan that another thread has made, or makes it. Nothing is locked while a plan is
   * made.
   *
   * @param key equal for equal plans
   * @param known looks for a plan in the cache; null if there is none
   * @param make makes the plan, and puts it into the cache
   * @param limits of the statement, by which its wait is cancelled
   */
  <T> T get(Object key, Supplier<T> known, Supplier<T> make, StatementLimits limits) {
    Making mine = new Making();
    long start = environment.nanoTime();
    while (true) {
      Making other = inProgress.putIfAbsent(key, mine);
      if (other == null) {
        try {
          T plan = known.get(); // since the first look another thread may have made it
          return plan == null ? make.get() : plan;
        } finally {
          inProgress.remove(key);
          mine.end();
        }
      }
      if (!await(other, start, limits)) {
        return make.get();
      }
    }
  }

  /** Returns false if the wait has reached its limit, or its thread is interrupted. */
  private boolean await(Making other, long start, StatementLimits limits) {
    other.waiters.add(Thread.currentThread());
    while (!other.hasEnded) {
      limits.check();
      boolean isOver = environment.nanoTime() - start >= LIMIT_NANOS;
      if (isOver || Thread.currentThread().isInterrupted()) {
        return false;
      }
      environment.parkNanos(POLL_NANOS);
    }
    return true;
  }
}
