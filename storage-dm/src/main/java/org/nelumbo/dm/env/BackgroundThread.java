package org.nelumbo.dm.env;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon thread whose work must not end unnoticed. Whatever leaves its body, errors of the JVM
 * included, is counted ({@link Environment#failures}) and logged, once for each class of it. Then
 * the body is run again, after a pause that grows while it goes on failing.
 *
 * <p>Where a failure cannot be survived, the owner says so, and takes down loudly what depends on
 * this thread: it is asked again and again until it has answered without an exception itself.
 *
 * <p>Thread-safe.
 */
public final class BackgroundThread {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundThread.class);
  private static final long SHORTEST_PAUSE_NANOS = 10_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

  /** Who has worked for so long has recovered: the next pause is short again. */
  private static final long RECOVERED_NANOS = 10_000_000_000L;

  private final Environment environment;
  private final String name;
  private final Runnable body;
  private final Predicate<? super Throwable> survives;
  private final AtomicLong failures;
  private final Thread thread;

  /** For the thread alone. */
  private final Set<Class<?>> logged = new HashSet<>();

  private volatile boolean stopped;

  /**
   * A thread that survives everything.
   *
   * @param body returns soon after {@link #stop}, and when there is no more to do
   */
  public BackgroundThread(Environment environment, String name, Runnable body) {
    this(environment, name, body, why -> true);
  }

  /**
   * A thread that is not started yet.
   *
   * @param body returns soon after {@link #stop}, and when there is no more to do
   * @param survives told of each failure: whether the body is run again. If not, what depends on
   *     the thread has to know that when this returns
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

  /** Runs the body; returns what left it, null if it has ended as it should. */
  private Throwable failureOfBody() {
    try {
      body.run();
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  /** The answer may need memory that is not there just now: then it is tried again. */
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
          "thread {} has failed and goes on; it will do so silently if this happens again",
          name,
          failure);
    } else {
      LOG.debug("thread {} has failed again and goes on", name, failure);
    }
  }

  /** Wakes the thread if it is parked. */
  public void wake() {
    LockSupport.unpark(thread);
  }

  /** Has the body not be run again, and wakes it; it is the body's to return. */
  public void stop() {
    stopped = true;
    wake();
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Times that the body, or its owner's answer to that, has failed; of all threads so named. */
  public long failures() {
    return failures.get();
  }

  /** Waits until the thread has ended, or was never started; interruption is kept for later. */
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
