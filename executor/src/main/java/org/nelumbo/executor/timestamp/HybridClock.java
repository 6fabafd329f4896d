package org.nelumbo.executor.timestamp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;

/**
 * A clock in this process: a counter that is raised to physical time every millisecond. Drawing a
 * timestamp is one atomic addition; the physical part is at most that millisecond behind, or ahead
 * while more than 16 timestamps a microsecond are drawn.
 */
public class HybridClock implements Clock, AutoCloseable {
  private static final long TICK_NANOS = 1_000_000L;
  private static final int PADDING = 16;
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final Environment environment;

  /** The counter in the middle of two cache lines of its own. */
  private final long[] counter = new long[2 * PADDING];

  private final BackgroundThread ticker;

  public HybridClock(Environment environment) {
    this.environment = environment;
    this.ticker = new BackgroundThread(environment, "nelumbo-clock", this::run);
    tick();
  }

  /** Starts the ticker. */
  public void start() {
    ticker.start();
  }

  @Override
  public long now() {
    return (long) LONGS.getVolatile(counter, PADDING);
  }

  @Override
  public long next() {
    return (long) LONGS.getAndAdd(counter, PADDING, 1L) + 1;
  }

  /** Raises the clock to physical time; never sets it back. */
  public void tick() {
    raiseTo(Timestamps.ofEpochMicros(environment.epochMicros()));
  }

  /** Makes every later timestamp larger than {@code timestamp}. */
  public void raiseTo(long timestamp) {
    long current = now();
    while (current < timestamp) {
      long witness = (long) LONGS.compareAndExchange(counter, PADDING, current, timestamp);
      if (witness == current) {
        return;
      }
      current = witness;
    }
  }

  private void run() {
    while (!ticker.isStopped()) {
      tick();
      environment.parkNanos(TICK_NANOS);
    }
  }

  @Override
  public void close() {
    ticker.stop();
  }
}
