package org.nelumbo.executor.timestamp;

import java.util.concurrent.TimeUnit;
import org.nelumbo.dm.env.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wall clock of a compute node, as far as commit timestamps follow it. Commit timestamps never
 * decrease, and are exhausted when a cell has no more bits for them. So a wall clock that is wrong
 * by years must not be followed. It is ignored if it steps by more than a day against monotonic
 * time, or is outside the years for which there are timestamps. Monotonic time is followed instead.
 * Thread-safe.
 */
final class PhysicalClock {
  private static final Logger LOG = LoggerFactory.getLogger(PhysicalClock.class);
  private static final long STEP_MICROS_MAX = TimeUnit.DAYS.toMicros(1);

  /** If this clock is further ahead of a pool's clock, the pool does not follow it. */
  private static final long AHEAD_MAX = Timestamps.ofNanos(TimeUnit.DAYS.toNanos(1));

  /** Smaller differences are jitter between the readings of the two clocks. */
  private static final long JITTER_MICROS = 1_000;

  private static final long PHYSICAL_MAX_MICROS = Timestamps.toEpochMicros(Timestamps.PHYSICAL_MAX);

  private static final long UNKNOWN = Long.MIN_VALUE;

  private final Environment environment;

  /**
   * Wall clock minus monotonic time; {@link #UNKNOWN} until the wall clock has been usable once.
   */
  private volatile long offsetMicros = UNKNOWN;

  private volatile boolean isRefused;

  private volatile boolean isAhead;

  PhysicalClock(Environment environment) {
    this.environment = environment;
  }

  /** Returns the first timestamp of the present microsecond; 0 if physical time is unknown. */
  long timestamp() {
    long monotonic = TimeUnit.NANOSECONDS.toMicros(environment.nanoTime());
    long wall = environment.epochMicros();
    long before = offsetMicros;
    long offset = before;
    boolean isFollowed = isFollowed(wall, before + monotonic, before == UNKNOWN);
    if (isFollowed) {
      offset = wall - monotonic;
      if (before == UNKNOWN || Math.abs(offset - before) > JITTER_MICROS) {
        offsetMicros = offset;
      }
    }
    report(isFollowed, wall);
    boolean isKnown = offset != UNKNOWN && isInRange(offset + monotonic);
    return isKnown ? Timestamps.ofEpochMicros(offset + monotonic) : 0;
  }

  /**
   * Returns the first timestamp of the present microsecond, as far as a pool may follow it; 0 if
   * physical time is unknown, or more than a day ahead of the pool's clock.
   *
   * @param poolClock the pool's clock; 0 if the pool is new
   */
  long timestamp(long poolClock) {
    long physical = timestamp();
    boolean isAheadNow = poolClock > 0 && physical - poolClock > AHEAD_MAX;
    if (isAheadNow && !isAhead) {
      LOG.warn(
          "the wall clock of this compute node is more than a day ahead of the pool's: commit"
              + " timestamps do not follow it; set it right, or restart all compute nodes of the"
              + " pool if it is right");
    }
    isAhead = isAheadNow;
    return isAheadNow ? 0 : physical;
  }

  private static boolean isInRange(long micros) {
    return micros >= Timestamps.ORIGIN_MICROS && micros <= PHYSICAL_MAX_MICROS;
  }

  private static boolean isFollowed(long wall, long expected, boolean isFirst) {
    return isInRange(wall) && (isFirst || Math.abs(wall - expected) <= STEP_MICROS_MAX);
  }

  private void report(boolean isFollowed, long wall) {
    if (isRefused == isFollowed) {
      isRefused = !isFollowed;
      if (!isFollowed) {
        LOG.warn(
            "the wall clock, at {} microseconds since 1970, is wrong or has stepped by more than a"
                + " day: commit timestamps do not follow it; set it right, or restart this process"
                + " if it is right",
            wall);
      }
    }
  }
}
