package org.nelumbo.dm.litmus;

import java.util.concurrent.atomic.AtomicLong;
import org.nelumbo.dm.env.ForwardingEnvironment;

/**
 * An environment for tests that control their schedules. Waiting calls a step, for example of an
 * {@link Interleaving}, and time advances only while a caller parks or when the test advances it.
 */
public final class SteppingEnvironment extends ForwardingEnvironment {
  private static final long ORIGIN_MICROS = 1_800_000_000_000_000L;

  private final AtomicLong nanos = new AtomicLong();
  private final Runnable step;

  /** Creates an environment for code that never waits for another thread; its step is a yield. */
  public SteppingEnvironment() {
    this(Thread::yield);
  }

  /** Creates an environment in which waiting calls the step. */
  public SteppingEnvironment(Runnable step) {
    this(ORIGIN_MICROS, step);
  }

  /**
   * Creates an environment with a start time.
   *
   * @param epochMicros start time in microseconds since 1970
   */
  public SteppingEnvironment(long epochMicros, Runnable step) {
    this.nanos.set(epochMicros * 1000);
    this.step = step;
  }

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
