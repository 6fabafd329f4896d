package org.nelumbo.dm.litmus;

import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.ForwardingEnvironment;

/**
 * An environment for tests that choose their schedules: waiting is a step, such as that of an
 * {@link Interleaving}, and time stands still unless somebody parks or the test moves it.
 */
public final class SteppingEnvironment extends ForwardingEnvironment {
  private static final long ORIGIN_MICROS = 1_800_000_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final Runnable step;

  /** For code that never has to wait for another thread: it lets others go on. */
  public SteppingEnvironment() {
    this(Thread::yield);
  }

  /** Waits by taking that step. */
  public SteppingEnvironment(Runnable step) {
    this(ORIGIN_MICROS, step);
  }

  /** An environment whose time begins there, microseconds since 1970. */
  public SteppingEnvironment(long epochMicros, Runnable step) {
    this.nanos.set(epochMicros * 1000);
    this.step = step;
  }

  /** Moves time on. */
  public void advanceMicros(long by) {
    nanos.addAndGet(by * 1000);
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public long epochMicros() {
    return nanos.get() / 1000;
  }

  @Override
  public void backoff(int attempt) {
    step.run();
  }

  @Override
  public void stepAside() {
    step.run();
  }

  @Override
  public void parkNanos(long wait) {
    nanos.addAndGet(wait);
    step.run();
  }
}
