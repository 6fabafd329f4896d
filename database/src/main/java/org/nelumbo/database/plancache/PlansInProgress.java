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
 * The plans that are being compiled. A thread that needs one of them waits for it, instead of
 * compiling it again: when a program starts, all its threads run the same statements. If the
 * compiling thread fails or is cancelled, the next one compiles the plan. Thread-safe.
 */
final class PlansInProgress {
  private static final long POLL_NANOS = 10_000_000;

  /** Maximum wait of a thread before it compiles a plan of its own. */
  private static final long LIMIT_NANOS = 5_000_000_000L;

  private final Environment environment;
  private final Map<Object, Making> inProgress = new ConcurrentHashMap<>();

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
   * Returns the plan that another thread has compiled, or compiles it. No lock is held during
   * compilation.
   *
   * @param key equal for equal plans
   * @param known returns the plan from the cache, or null if it is absent
   * @param make compiles the plan, and puts it into the cache
   * @param limits limits of the statement, which can cancel the wait
   */
  <T> T get(Object key, Supplier<T> known, Supplier<T> make, StatementLimits limits) {
    Making mine = new Making();
    long start = environment.nanoTime();
    while (true) {
      Making other = inProgress.putIfAbsent(key, mine);
      if (other == null) {
        try {
          T plan = known.get(); // another thread may have compiled it since the first lookup
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
