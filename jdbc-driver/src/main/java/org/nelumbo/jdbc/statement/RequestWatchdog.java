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
 * Watchdog for the network timeout of a connection: acts when one request takes longer than the
 * limit. A request that is in time costs one compare-and-set and three stores; one beside that of
 * another thread costs an entry of a map. One timer runs per connection as long as there are
 * requests, and looks when the oldest could have expired. Each thread has one request at a time.
 */
final class RequestWatchdog {
  /** Timer that runs an action later. */
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

  /** Thread whose request began while no other was in progress; null if that has ended. */
  private final AtomicReference<Thread> requester = new AtomicReference<>();

  /** Time at which the requester's request began; 0 if it has none. */
  private volatile long began;

  /** Start times of the requests of other threads. */
  private final Map<Thread, Long> others = new ConcurrentHashMap<>();

  private volatile boolean stopped;

  RequestWatchdog(long limitNanos, Timer timer, LongSupplier clock, Runnable expired) {
    this.limitNanos = limitNanos;
    this.timer = timer;
    this.clock = clock;
    this.expired = expired;
  }

  /** Starts a watchdog on the clock of the machine. */
  static RequestWatchdog start(long limitNanos, Runnable expired) {
    return new RequestWatchdog(
        limitNanos,
        (nanos, action) -> {
          ScheduledFuture<?> _ = EXECUTOR.schedule(action, nanos, TimeUnit.NANOSECONDS);
        },
        System::nanoTime,
        expired);
  }

  /** Timer thread of all connections, which ends when none has a network timeout any more. */
  private static ScheduledThreadPoolExecutor newExecutor() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> Thread.ofPlatform().daemon().name("nelumbo-network-timeout").unstarted(task));
    executor.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Notes that the current thread has sent a request. */
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

  /** Notes that the request of the current thread has been answered. */
  void end() {
    Thread self = Thread.currentThread();
    if (requester.getPlain() == self) {
      began = 0;
      requester.setRelease(null);
    } else {
      others.remove(self);
    }
  }

  /** Returns when the oldest request began; 0 if there is none. */
  private long oldest() {
    long oldest = began;
    for (long other : others.values()) {
      oldest = oldest == 0 || other - oldest < 0 ? other : oldest;
    }
    return oldest;
  }

  /** Ends the watch: another limit holds from now on. */
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
