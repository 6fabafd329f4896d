package org.nelumbo.jdbc;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Watchdog for the network timeout of a connection: acts when one request takes longer than the
 * limit. A request that is in time costs two stores. One timer runs per connection as long as there
 * are requests, and looks when the oldest could have expired. {@link #begin} and {@link #end}
 * belong to the connection's thread, {@link #stop} to any.
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

  /** When the request in progress began; 0 if there is none. */
  private volatile long began;

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

  /** Notes that a request has been sent. */
  void begin() {
    began = clock.getAsLong() | 1;
    if (!ticking.getPlain() && ticking.compareAndSet(false, true)) {
      timer.in(limitNanos, this::tick);
    }
  }

  /** Notes that the request has been answered. */
  void end() {
    began = 0;
  }

  /** Ends the watch: another limit holds from now on. */
  void stop() {
    stopped = true;
  }

  private void tick() {
    long start = began;
    if (stopped) {
      return;
    }
    if (start == 0) {
      ticking.set(false);
      if (began == 0 || !ticking.compareAndSet(false, true)) {
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
