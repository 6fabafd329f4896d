package org.nelumbo.executor.timestamp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of an exclusive pool: a counter that is raised to physical time every millisecond.
 * Drawing a timestamp is one atomic addition. The physical part is at most that millisecond behind
 * ({@link PhysicalClock}). It may be ahead while more than 16 timestamps per microsecond are drawn,
 * or after the wall clock was set back.
 */
public class HybridClock implements Clock {
  private static final Logger LOG = LoggerFactory.getLogger(HybridClock.class);

  private static final long STEP_MICROS = 1_000_000L;

  private static final long TICK_NANOS = 1_000_000L;
  private static final int PADDING = 16;
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  private final Environment environment;
  private final PhysicalClock physicalClock;

  /** The counter, in the middle of two cache lines of its own. */
  private final long[] counter = new long[2 * PADDING];

  private final BackgroundThread ticker;
  private long lastMicros;
  private long lastNanos;

  public HybridClock(Environment environment) {
    this.environment = environment;
    this.physicalClock = new PhysicalClock(environment);
    this.lastMicros = environment.epochMicros();
    this.lastNanos = environment.nanoTime();
    this.ticker = new BackgroundThread(environment, "nelumbo-clock", this::run);
    tick();
  }

  @Override
  public void start() {
    ticker.start();
  }

  @Override
  public long now() {
    return (long) LONGS.getVolatile(counter, PADDING);
  }

  @Override
  public long read(Channel channel) {
    return now();
  }

  @Override
  public long next(Channel channel) {
    return next();
  }

  /** Returns a commit timestamp; needs no channel. */
  public long next() {
    return (long) LONGS.getAndAdd(counter, PADDING, 1L) + 1;
  }

  /** Raises the clock to physical time; never sets it back. */
  public void tick() {
    raiseTo(physicalClock.timestamp());
  }

  @Override
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
      reportStep();
      environment.parkNanos(TICK_NANOS);
    }
  }

  /** A step is a suspended machine, or a clock that was set. */
  private void reportStep() {
    long micros = environment.epochMicros();
    long nanos = environment.nanoTime();
    long step = micros - lastMicros - TimeUnit.NANOSECONDS.toMicros(nanos - lastNanos);
    lastMicros = micros;
    lastNanos = nanos;
    if (Math.abs(step) > STEP_MICROS) {
      LOG.warn(
          "the wall clock stepped by {} ms; commit timestamps never go back, and snapshots"
              + " do not age by the step",
          TimeUnit.MICROSECONDS.toMillis(step));
    }
  }

  @Override
  public void close() {
    ticker.stop();
  }
}
