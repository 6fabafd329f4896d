package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;

class ArrivalTimesTest {
  private static final int MANY = 20_000;
  private static final double NANOS_PER_SECOND = 1e9;

  @Property(seed = "1", tries = 100)
  void shouldKeepOfferedRateOverTime(
      @ForAll long seed, @ForAll @DoubleRange(min = 0.1, max = 1e6) double rate) {
    ArrivalTimes times = new ArrivalTimes(new OfferedRate(rate, Arrivals.POISSON), seed);
    long last = 0;
    for (int i = 0; i < MANY; i++) {
      long next = times.take();
      assertTrue(next >= last);
      last = next;
    }
    // the sum of n gaps has a relative deviation of 1/sqrt(n); six of these are allowed
    assertEquals(1, last / NANOS_PER_SECOND * rate / MANY, 6 / Math.sqrt(MANY));
  }

  @Property(seed = "1", tries = 20)
  void shouldSpreadGapsExponentially(@ForAll long seed) {
    ArrivalTimes times = new ArrivalTimes(new OfferedRate(1_000, Arrivals.POISSON), seed);
    long last = 0;
    int shorterThanMean = 0;
    for (int i = 0; i < MANY; i++) {
      long next = times.take();
      shorterThanMean += next - last < 1_000_000 ? 1 : 0;
      last = next;
    }
    assertEquals(1 - Math.exp(-1), (double) shorterThanMean / MANY, 0.025);
  }

  @Example
  void shouldNotDriftWithFractionalGaps() {
    ArrivalTimes times = new ArrivalTimes(new OfferedRate(700_000, Arrivals.CONSTANT), 1);
    long last = 0;
    for (int i = 0; i <= 700_000; i++) {
      last = times.take();
    }
    assertEquals(1_000_000_000, last);
  }

  @Example
  void shouldDependOnlyOnSeed() {
    OfferedRate rate = new OfferedRate(1_000, Arrivals.POISSON);
    ArrivalTimes first = new ArrivalTimes(rate, 5);
    ArrivalTimes again = new ArrivalTimes(rate, 5);
    ArrivalTimes other = new ArrivalTimes(rate, 6);
    first.take();
    again.take();
    other.take();
    for (int i = 0; i < 100; i++) {
      long time = first.take();
      assertEquals(time, again.take());
      assertNotEquals(time, other.take());
    }
  }
}
