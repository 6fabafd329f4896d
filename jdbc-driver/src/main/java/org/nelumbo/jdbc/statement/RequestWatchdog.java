package org.nelumbo.jdbc.statement;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Watchdog for the network timeout of a connection: runs an action when a request exceeds the
 * limit.
 *
 * <p>A request within its limit costs one compare-and-set and three stores; a request that is
 * concurrent with another thread's costs a map entry. Each thread has one request at a time. Each
 * connection has one timer while requests are in progress, which fires when the oldest one could
 * have expired.
 */
final class RequestWatchdog {
  /** A timer that runs an action after a delay. */
  @FunctionalInterface
  interface Timer {
    void in(long nanos, Runnable action);
  }

  private static final long IDLE_SECONDS = 10;
  private static final ScheduledThreadPoolExecutor EXECUTOR = newExecutor();

  private final long limitNanos;
  private final Timer timer;
  private final LongSupplier clock;
  private final Runnable expired;
  private final AtomicBoolean ticking = new AtomicBoolean();

  /**
   * The thread whose request began while no other was in progress; null after that request has
   * ended.
   */
  private final AtomicReference<Thread> requester = new AtomicReference<>();

  /** Time at which the requester's request began; 0 if it has none. */
  private volatile long began;

  private final Map<Thread, Long> others = new ConcurrentHashMap<>();

  private volatile boolean stopped;

  RequestWatchdog(long limitNanos, Timer timer, LongSupplier clock, Runnable expired) {
    this.limitNanos = limitNanos;
    this.timer = timer;
    this.clock = clock;
    this.expired = expired;
  }

  /** Starts a watchdog on the system clock. */
  static RequestWatchdog start(long limitNanos, Runnable expired) {
    return new RequestWatchdog(
        limitNanos,
        (nanos, action) -> {
          ScheduledFuture<?> _ = EXECUTOR.schedule(action, nanos, TimeUnit.NANOSECONDS);
        },
        System::nanoTime,
        expired);
  }

  /** The thread ends when no connection has a network timeout. */
  private static ScheduledThreadPoolExecutor newExecutor() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> Thread.ofPlatform().daemon().name("nelumbo-network-timeout").unstarted(task));
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Records that the current thread has sent a request. */
  void begin() {
    Thread self = Thread.currentThread();
    long now = clock.getAsLong() | 1;
    if (requester.getPlain() == self || requester.compareAndSet(null, self)) {
      began = now;
    } else {
      others.put(self, now);
    }
    if (!ticking.getPlain() && ticking.compareAndSet(false, true)) {
      timer.in(limitNanos, this::tick);
    }
  }

  /** Records that the current thread has received the response. */
  void end() {
    Thread self = Thread.currentThread();
    if (requester.getPlain() == self) {
      began = 0;
      requester.setRelease(null);
    } else {
      others.remove(self);
    }
  }

  private long oldest() {
    long oldest = began;
    for (long other : others.values()) {
      oldest = oldest == 0 || other - oldest < 0 ? other : oldest;
    }
    return oldest;
  }

  /** Stops watching, because another limit applies from now on. */
  void stop() {
    stopped = true;
  }

  private void tick() {
    long start = oldest();
    if (stopped) {
      return;
    }
    if (start == 0) {
      ticking.set(false);
      if (oldest() == 0 || !ticking.compareAndSet(false, true)) {
        return;
      }
      start = clock.getAsLong(); // a request has begun in between
    }
    long left = limitNanos - (clock.getAsLong() - start);
    if (left > 0) {
      timer.in(left, this::tick);
    } else {
      expired.run();
    }
  }
}
