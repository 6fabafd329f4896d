package org.nelumbo.executor.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
  /** Returns random times of all orders of magnitude. */
  private static long[] times(long seed, int count, int bits) {
    Random random = new Random(seed);
    return random.longs(count, 0, 1L << bits).map(t -> t >>> random.nextInt(bits + 1)).toArray();
  }

  @Property(seed = "1", tries = 300)
  void shouldEstimateQuantilesWithin25Percent(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int count,
      @ForAll @LongRange(min = 1, max = 1000) long perMille) {
    long[] times = times(seed, count, 62);
    LatencyHistogram histogram = new LatencyHistogram();
    long[] sorted = times.clone();
    Arrays.sort(sorted);
    for (long time : times) {
      histogram.record(time);
    }
    assertEquals(times.length, histogram.count());
    assertEquals(sorted[sorted.length - 1], histogram.largestNanos());
    long exact = sorted[(int) Math.ceil(perMille / 1000.0 * times.length) - 1];
    long found = histogram.quantileNanos(perMille / 1000.0);
    assertTrue(found >= exact && found - exact <= exact / 4, () -> exact + " but found " + found);
  }

  @Property(seed = "1", tries = 300)
  void shouldCountBelowPowersOfTwo(
      @ForAll long seed,
      @ForAll @IntRange(max = 100) int count,
      @ForAll @LongRange(min = 2, max = 45) long power) {
    long[] times = times(seed, count, 40);
    LatencyHistogram histogram = new LatencyHistogram();
    for (long time : times) {
      histogram.record(time);
    }
    long bound = 1L << power;
    assertEquals(Arrays.stream(times).filter(t -> t < bound).count(), histogram.countBelow(bound));
    assertEquals(times.length, histogram.countBelow(Long.MAX_VALUE));
    assertEquals(Arrays.stream(times).sum(), histogram.totalNanos());
  }

  @Test
  void shouldBeEmptyAtFirst() {
    assertEquals(0, new LatencyHistogram().quantileNanos(0.99));
  }
}
