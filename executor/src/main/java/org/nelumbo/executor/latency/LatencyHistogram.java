package org.nelumbo.executor.latency;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of durations with four classes per doubling. It takes at most 8 KiB and makes no
 * garbage; a quantile has an error of at most a quarter. The engine has its own class of 60 lines
 * because the jar of the driver must stay small; the benchmarks, which need three digits, use
 * HdrHistogram. Thread-safe; a reader may see each number with a slight delay.
 */
public final class LatencyHistogram {
  private static final int STEP_BITS = 2;
  private static final int STEPS = 1 << STEP_BITS;
  private static final int CLASSES = (Long.SIZE - STEP_BITS) * STEPS;

  private final AtomicLongArray counts = new AtomicLongArray(CLASSES);
  private final LongAdder nanos = new LongAdder();
  private final LongAccumulator largest = new LongAccumulator(Math::max, 0);

  /** Records a duration in nanoseconds; a negative one counts as 0. */
  public void record(long time) {
    long value = Math.max(0, time);
    counts.getAndIncrement(classOf(value));
    nanos.add(value);
    largest.accumulate(value);
  }

  /**
   * Returns the class of a value. Values below {@link #STEPS} have their own classes; for larger
   * values the upper three bits determine the class.
   */
  private static int classOf(long value) {
    if (value < STEPS) {
      return (int) value;
    }
    int shift = Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(value);
    return (shift + 1) * STEPS + (int) (value >>> shift) - STEPS;
  }

  private static long end(int ofClass) {
    if (ofClass < STEPS) {
      return ofClass + 1L;
    }
    int shift = ofClass / STEPS - 1;
    long end = (ofClass % STEPS + STEPS + 1L) << shift;
    return end <= 0 ? Long.MAX_VALUE : end;
  }

  /** Returns the number of recorded durations. */
  public long count() {
    long sum = 0;
    for (int i = 0; i < CLASSES; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** Returns the sum of all durations, in nanoseconds. */
  public long totalNanos() {
    return nanos.sum();
  }

  /** Returns the longest duration, in nanoseconds. */
  public long largestNanos() {
    return largest.get();
  }

  /**
   * Returns the number of durations below a bound in nanoseconds; exact if the bound is a power of
   * two.
   */
  public long countBelow(long bound) {
    long sum = 0;
    for (int i = 0; i < CLASSES && end(i) <= bound; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /**
   * Returns the duration that a share of all does not exceed, in nanoseconds, at most a quarter too
   * long; 0 if nothing was recorded.
   *
   * @param share share from 0 to 1
   */
  public long quantileNanos(double share) {
    long wanted = (long) Math.ceil(share * count());
    long sum = 0;
    for (int i = 0; i < CLASSES; i++) {
      sum += counts.get(i);
      if (sum >= wanted && sum > 0) {
        return Math.min(end(i) - 1, largestNanos());
      }
    }
    return largestNanos();
  }
}
