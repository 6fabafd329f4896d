package org.nelumbo.benchmark.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The schedule of a run: the start of the terminals, the measured time, and the end. Times are
 * nanoseconds of the given clock. The first failure of any terminal ends all of them.
 *
 * <p>With an automatic warm-up the measured time begins at its upper bound, unless {@link
 * #measureFrom} moves it to an earlier instant that is still in the future. A terminal that sees
 * only half of that move sees a later end, which does no harm.
 */
final class Schedule {
  /** Limit below which a wait for an arrival spins; a sleeping thread wakes up about this late. */
  static final long SPIN_NANOS = 60_000;

  private final LoopClock clock;
  private final LoopSettings settings;
  private final CountDownLatch ready;
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean failed;
  private long start; // written once, before go is opened
  private volatile long measuredFrom;
  private volatile long end;

  Schedule(LoopClock clock, LoopSettings settings) {
    this.clock = clock;
    this.settings = settings;
    this.ready = new CountDownLatch(settings.terminals());
  }

  /** Reports that a terminal is connected; returns when all are. */
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

  /** Moves the measured time, so that it begins at this instant. */
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

  /** Returns true if transactions may start at this instant. */
  boolean running(long now) {
    return !failed && now - end < 0;
  }

  /** Returns true if a transaction of a closed loop with these times counts as measured. */
  boolean measured(long begin, long finish) {
    return begin - measuredFrom >= 0 && finish - end <= 0;
  }

  /**
   * Returns true if a transaction of an open loop with this intended start counts as measured,
   * whenever it ends.
   */
  boolean measuredArrival(long intended) {
    return intended - measuredFrom >= 0 && intended - end < 0;
  }

  boolean failed() {
    return failed;
  }

  Throwable failure() {
    return failure.get();
  }

  /**
   * Ends the run. Only the first failure is kept. A terminal that failed before it was ready does
   * not block the others.
   */
  void fail(Throwable cause) {
    failure.compareAndSet(null, cause);
    failed = true;
    ready.countDown();
  }

  long now() {
    return clock.nanos();
  }

  /** Sleeps, but not past the end of the run; returns the time after the pause. */
  long pause(long from, long nanos) {
    long until = from + nanos;
    long now = from;
    while (until - now > 0 && running(now)) {
      clock.park(Math.min(until, end) - now);
      now = clock.nanos();
    }
    return now;
  }

  /**
   * Waits for an arrival as precisely as possible, but not past the end of the run; returns the
   * time after the wait.
   */
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

  /** Sleeps between two attempts; returns the time after the sleep. */
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
