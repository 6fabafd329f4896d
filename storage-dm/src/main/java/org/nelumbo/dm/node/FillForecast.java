package org.nelumbo.dm.node;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A forecast of when the memory of a node will be full, from its growth in the last ten minutes. A
 * jump, such as the first tables of a new pool, or one load of data, is not growth. So the forecast
 * starts when the node has grown in both halves of ten minutes, and the slower half counts. Warns
 * at 80, 90 and 95 percent, once each. Thread-safe.
 */
final class FillForecast {
  /** Forecast of a node that does not grow. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  /** Intended interval of the calls of {@link #sample}. */
  static final long INTERVAL_NANOS = 10_000_000_000L;

  private static final Logger LOG = LoggerFactory.getLogger(FillForecast.class);
  private static final int[] WARNED_PERCENTS = {80, 90, 95};
  private static final int SAMPLES_MAX = 61; // ten minutes
  private static final int HUNDRED = 100;

  private final long bytes;
  private final ArrayDeque<Sample> samples = new ArrayDeque<>();
  private final ReentrantLock lock = new ReentrantLock();
  private int warnings;

  private record Sample(long nanos, long taken) {}

  FillForecast(long bytes) {
    this.bytes = bytes;
  }

  /** Adds a sample of the allocated bytes; returns true if it caused a warning. */
  boolean sample(long nanos, long taken) {
    lock.lock();
    try {
      return isWorthWarning(nanos, taken);
    } finally {
      lock.unlock();
    }
  }

  private boolean isWorthWarning(long nanos, long taken) {
    assert lock.isHeldByCurrentThread();
    if (!samples.isEmpty() && taken < samples.getLast().taken()) {
      samples.clear();
      warnings = 0;
    }
    samples.add(new Sample(nanos, taken));
    if (samples.size() > SAMPLES_MAX) {
      samples.remove();
    }
    int before = warnings;
    while (warnings < WARNED_PERCENTS.length && percent(taken) >= WARNED_PERCENTS[warnings]) {
      warnings++;
    }
    if (warnings > before) {
      double seconds = seconds();
      LOG.warn(
          "the memory of this node is {} % full: {} of {} bytes have been allocated; {}."
              + " Memory nodes of one size with copies of the same fill up together: delete, or"
              + " copy the data into a larger pool",
          percent(taken),
          taken,
          bytes,
          seconds == NEVER
              ? "it does not grow currently"
              : "at the current growth it is full in " + (long) seconds + " s");
    }
    return warnings > before;
  }

  private long percent(long taken) {
    return taken / Math.max(1, bytes / HUNDRED);
  }

  /**
   * Returns the seconds until the node is full if it continues to grow as in the last ten minutes.
   * For a node that is 80 percent full, a shorter time since its start suffices.
   */
  double secondsUntilFull() {
    lock.lock();
    try {
      return seconds();
    } finally {
      lock.unlock();
    }
  }

  private double seconds() {
    assert lock.isHeldByCurrentThread();
    if (samples.size() < 2) {
      return NEVER;
    }
    Sample first = samples.getFirst();
    Sample last = samples.getLast();
    double rate = rate(first, last);
    if (percent(last.taken()) < WARNED_PERCENTS[0]) {
      Sample middle = samples.stream().skip(samples.size() / 2).findFirst().orElseThrow();
      rate = samples.size() < SAMPLES_MAX ? 0 : Math.min(rate(first, middle), rate(middle, last));
    }
    return rate <= 0 ? NEVER : Math.max(0, bytes - last.taken()) / rate;
  }

  private static double rate(Sample from, Sample to) {
    double seconds = (to.nanos() - from.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
    return (to.taken() - from.taken()) / seconds;
  }
}
