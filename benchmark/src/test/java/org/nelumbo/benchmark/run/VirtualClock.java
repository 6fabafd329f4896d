package org.nelumbo.benchmark.run;

import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only when somebody waits, or when told. */
final class VirtualClock implements LoopClock {
  private static final long SPIN_NANOS = 1_000;

  /** Not 0: nobody may take a time for a distance. */
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
