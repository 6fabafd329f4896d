package org.nelumbo.benchmark.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Detects the end of the warm-up from the throughput of each second.
 *
 * <p>The rule, over the last ten seconds: each of the last five lies within {@value
 * #SPREAD_PERCENT} % of their mean, and that mean is at most {@value #GROWTH_PERCENT} % higher than
 * the mean of the five before. The warm-up is therefore not ended by one quiet second, nor by a
 * throughput that still increases, as it does while code is being compiled.
 */
final class SteadyState {
  static final int HALF = 5;
  static final int SPREAD_PERCENT = 10;
  static final int GROWTH_PERCENT = 2;

  private static final double PERCENT = 100;

  private final Deque<Double> last = new ArrayDeque<>(2 * HALF);

  /** Adds the throughput of one more second; returns true if it is now steady. */
  boolean add(double perSecond) {
    last.addLast(perSecond);
    if (last.size() > 2 * HALF) {
      last.removeFirst();
    }
    return last.size() == 2 * HALF && steady();
  }

  private boolean steady() {
    Iterator<Double> rates = last.iterator();
    double before = 0;
    for (int i = 0; i < HALF; i++) {
      before += rates.next() / HALF;
    }
    double[] recent = new double[HALF];
    double mean = 0;
    for (int i = 0; i < HALF; i++) {
      recent[i] = rates.next();
      mean += recent[i] / HALF;
    }
    for (double rate : recent) {
      if (Math.abs(rate - mean) > mean * SPREAD_PERCENT / PERCENT) {
        return false;
      }
    }
    return mean > 0 && mean <= before * (1 + GROWTH_PERCENT / PERCENT);
  }
}
