package org.nelumbo.dm.env;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread whose failures never go unnoticed. Each exception or error that leaves its body,
 * errors of the JVM included, is counted ({@link Environment#failures}), and logged once for each
 * class. Then the body runs again, after a pause that grows while it continues to fail.
 *
 * <p>If a failure cannot be survived, the predicate of the owner returns false and makes everything
 * that depends on this thread fail visibly. The predicate is called repeatedly until it returns
 * without an exception.
 *
 * <p>Thread-safe.
 */
public final class BackgroundThread {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundThread.class);
  private static final long SHORTEST_PAUSE_NANOS = 10_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

  /** A body that runs this long counts as recovered: the next pause is short again. */
  private static final long RECOVERED_NANOS = 10_000_000_000L;

  private final Environment environment;
  private final String name;
  private final Runnable body;
  private final Predicate<? super Throwable> survives;
  private final AtomicLong failures;
  private final Thread thread;

  /** Accessed by this thread only. */
  private final Set<Class<?>> logged = new HashSet<>();

  private volatile boolean stopped;

  /**
   * Creates a thread that survives every failure.
   *
   * @param body returns soon after {@link #stop}, and when there is no more work
   */
  public BackgroundThread(Environment environment, String name, Runnable body) {
    this(environment, name, body, why -> true);
  }

  /**
   * Creates a thread that is not started yet.
   *
   * @param body returns soon after {@link #stop}, and when there is no more work
   * @param survives receives each failure and returns whether the body runs again. If it returns
   *     false, everything that depends on the thread must know of the failure by then
   */
  public BackgroundThread(
      Environment environment, String name, Runnable body, Predicate<? super Throwable> survives) {
    this.environment = environment;
    this.name = name;
    this.body = body;
    this.survives = survives;
    this.failures = environment.failures(name);
    this.thread = environment.thread(name, this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    long pause = SHORTEST_PAUSE_NANOS;
    while (!stopped) {
      long since = environment.nanoTime();
      Throwable failure = failureOfBody();
      if (failure == null) {
        return;
      }
      failures.incrementAndGet();
      environment.backgroundFailed(failure);
      if (!isSurvived(failure)) {
        return;
      }
      pause =
          environment.nanoTime() - since > RECOVERED_NANOS
              ? SHORTEST_PAUSE_NANOS
              : Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      if (!stopped) {
        environment.parkNanos(pause);
      }
    }
  }

  private Throwable failureOfBody() {
    try {
      body.run();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  /** The predicate may need memory that is not available just now: then it is retried. */
  private boolean isSurvived(Throwable failure) {
    while (true) {
      try {
        boolean survived = survives.test(failure);
        log(failure, survived);
        return survived;
      } catch (Throwable t) {
        failures.incrementAndGet();
        environment.backgroundFailed(t);
      }
      environment.parkNanos(SHORTEST_PAUSE_NANOS);
    }
  }

  private void log(Throwable failure, boolean survived) {
    if (!survived) {
      LOG.debug("thread {} has ended", name, failure);
    } else if (logged.add(failure.getClass())) {
      LOG.error(
          "thread {} has failed and continues; further failures like this are not logged",
          name,
          failure);
    } else {
      LOG.debug("thread {} has failed again and continues", name, failure);
    }
  }

  /** Wakes the thread if it is parked. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /** Prevents further runs of the body, and wakes the thread; the body returns by itself. */
  public void stop() {
    stopped = true;
    wake();
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Returns how often the body or the predicate has failed, in all threads of this name. */
  public long failures() {
    return failures.get();
  }

  /**
   * Waits until the thread has ended, or was never started; an interruption is restored afterwards.
   */
  public void join() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
