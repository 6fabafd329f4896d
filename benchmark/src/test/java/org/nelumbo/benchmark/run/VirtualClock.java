package org.nelumbo.benchmark.run;

import java.util.concurrent.atomic.AtomicLong;

/** A clock that advances only when a thread waits, or when a test advances it. */
final class VirtualClock implements LoopClock {
  private static final long SPIN_NANOS = 1_000;

  /**
   * The current time. It does not start at 0, so that a time that is mistaken for a duration is
   * noticed.
   */
  private final AtomicLong now = new AtomicLong(7_000_000_000L);

  void pass(long nanos) {
    now.addAndGet(nanos);
  }

  @Override
  public long nanos() {
    return now.get();
  }

  @Override
  public void park(long nanos) {
    pass(nanos);
  }

  @Override
  public void spin() {
    pass(SPIN_NANOS);
  }
}
