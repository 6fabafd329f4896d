package org.nelumbo.benchmark.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * When terminals start, what counts as measured, when they end. Times are nanoseconds of the given
 * clock. The first failure of any terminal ends all of them.
 */
final class Schedule {
  private final LongSupplier clock;
  private final CountDownLatch ready;
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean failed;

  // written once before go is opened
  private long measuredFrom;
  private long end;

  Schedule(LongSupplier clock, int terminals) {
    this.clock = clock;
    this.ready = new CountDownLatch(terminals);
  }

  /** A terminal is connected; returns when all are. */
  void readyToGo() throws InterruptedException {
    ready.countDown();
    go.await();
  }

  /** Waits until every terminal is connected or one failed, then starts them. */
  void start(LoopSettings settings) throws InterruptedException {
    ready.await();
    measuredFrom = clock.getAsLong() + settings.warmup().toNanos();
    end = measuredFrom + settings.duration().toNanos();
    go.countDown();
  }

  boolean running() {
    return !failed && clock.getAsLong() - end < 0;
  }

  boolean measured(long begin, long finish) {
    return begin - measuredFrom >= 0 && finish - end <= 0;
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
    return clock.getAsLong();
  }

  /** Sleeps, but not past the end of the run. */
  void pause(long nanos) {
    long until = clock.getAsLong() + nanos;
    while (running() && until - clock.getAsLong() > 0) {
      LockSupport.parkNanos(Math.min(until, end) - clock.getAsLong());
    }
  }

  /** Sleeps between two tries. */
  void backOff(long nanos) {
    long until = clock.getAsLong() + nanos;
    for (long left = nanos; left > 0 && !failed; left = until - clock.getAsLong()) {
      LockSupport.parkNanos(left);
    }
  }
}
