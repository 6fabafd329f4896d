package org.nelumbo.executor.latency;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of times, four classes a doubling: 8 KiB at most, no garbage, and a quantile is right
 * within a quarter. The engine has its own, of 60 lines, since the driver's jar is to stay small;
 * the benchmarks, which want three digits, use HdrHistogram. Thread-safe; who reads sees each
 * number as it was a moment ago.
 */
public final class LatencyHistogram {
  private static final int STEP_BITS = 2;
  private static final int STEPS = 1 << STEP_BITS;
  private static final int CLASSES = (Long.SIZE - STEP_BITS) * STEPS;

  private final AtomicLongArray counts = new AtomicLongArray(CLASSES);
  private final LongAdder nanos = new LongAdder();
  private final LongAccumulator largest = new LongAccumulator(Math::max, 0);

  /** Counts a time. */
  public void record(long time) {
    long value = Math.max(0, time);
    counts.getAndIncrement(classOf(value));
    nanos.add(value);
    largest.accumulate(value);
  }

  /** Times below {@link #STEPS} have classes of their own; above, the upper three bits tell. */
  private static int classOf(long value) {
    if (value < STEPS) {
      return (int) value;
    }
    int shift = Long.SIZE - 1 - STEP_BITS - Long.numberOfLeadingZeros(value);
    return (shift + 1) * STEPS + (int) (value >>> shift) - STEPS;
  }

  /** The first value above a class. */
  private static long end(int ofClass) {
    if (ofClass < STEPS) {
      return ofClass + 1L;
    }
    int shift = ofClass / STEPS - 1;
    long end = (ofClass % STEPS + STEPS + 1L) << shift;
    return end <= 0 ? Long.MAX_VALUE : end;
  }

  /** How many times were counted. */
  public long count() {
    long sum = 0;
    for (int i = 0; i < CLASSES; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /** All times together, nanoseconds. */
  public long totalNanos() {
    return nanos.sum();
  }

  /** The longest time, nanoseconds. */
  public long largestNanos() {
    return largest.get();
  }

  /** How many times are below a bound, exact for powers of two; nanoseconds. */
  public long countBelow(long bound) {
    long sum = 0;
    for (int i = 0; i < CLASSES && end(i) <= bound; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /**
   * The time that a share of all does not exceed, nanoseconds; at most a quarter too long. 0 if
   * there are none.
   *
   * @param share 0 to 1
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
