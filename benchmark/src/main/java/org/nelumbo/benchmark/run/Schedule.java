package org.nelumbo.benchmark.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The schedule of a run: when terminals start, what counts as measured, when they end. Times are
 * nanoseconds of the given clock. The first failure of any terminal ends all of them.
 *
 * <p>With an automatic warm-up the measured time begins at its bound, unless {@link #measureFrom}
 * moves it to an earlier instant that still lies ahead. A terminal that sees only half of that move
 * sees a later end, which does no harm.
 */
final class Schedule {
  /** Shorter waits for an arrival are spent spinning: a sleeping thread wakes up about so late. */
  static final long SPIN_NANOS = 60_000;

  private final LoopClock clock;
  private final LoopSettings settings;
  private final CountDownLatch ready;
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean failed;
  private long start; // written once before go is opened
  private volatile long measuredFrom;
  private volatile long end;

  Schedule(LoopClock clock, LoopSettings settings) {
    this.clock = clock;
    this.settings = settings;
    this.ready = new CountDownLatch(settings.terminals());
  }

  /** A terminal is connected; returns when all are. */
  void readyToGo() throws InterruptedException {
    ready.countDown();
    go.await();
  }

  /** Waits until every terminal is connected or one failed. */
  void awaitReady() throws InterruptedException {
    ready.await();
  }

  /** Starts the terminals. */
  void start() {
    start = clock.nanos();
    measureFrom(start + settings.warmup().longest().toNanos());
    go.countDown();
  }

  /** Moves the measured time: it begins at this instant. */
  void measureFrom(long instant) {
    measuredFrom = instant;
    end = instant + settings.duration().toNanos();
  }

  long startedAt() {
    return start;
  }

  long measuredFrom() {
    return measuredFrom;
  }

  long end() {
    return end;
  }

  /** Whether transactions may start at this instant. */
  boolean running(long now) {
    return !failed && now - end < 0;
  }

  /** Closed loop: whether a transaction that began and ended then counts. */
  boolean measured(long begin, long finish) {
    return begin - measuredFrom >= 0 && finish - end <= 0;
  }

  /** Open loop: whether a transaction that was to start then counts, whenever it ended. */
  boolean measuredArrival(long intended) {
    return intended - measuredFrom >= 0 && intended - end < 0;
  }

  boolean failed() {
    return failed;
  }

  Throwable failure() {
    return failure.get();
  }

  /** The first failure counts; a terminal that never got ready does not hold up the others. */
  void fail(Throwable cause) {
    failure.compareAndSet(null, cause);
    failed = true;
    ready.countDown();
  }

  long now() {
    return clock.nanos();
  }

  /** Sleeps, but not past the end of the run; returns when it is over. */
  long pause(long from, long nanos) {
    long until = from + nanos;
    long now = from;
    while (until - now > 0 && running(now)) {
      clock.park(Math.min(until, end) - now);
      now = clock.nanos();
    }
    return now;
  }

  /** Waits for an arrival as exactly as can be, but not past the end of the run. */
  long waitFor(long arrival) {
    long now = clock.nanos();
    while (arrival - now > 0 && running(now)) {
      long left = Math.min(arrival, end) - now;
      if (left > SPIN_NANOS) {
        clock.park(left - SPIN_NANOS);
      } else {
        clock.spin();
      }
      now = clock.nanos();
    }
    return now;
  }

  /** Sleeps between two tries; returns when it is over. */
  long backOff(long from, long nanos) {
    long until = from + nanos;
    long now = from;
    while (until - now > 0 && !failed) {
      clock.park(until - now);
      now = clock.nanos();
    }
    return now;
  }
}
