package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SteadyStateTest {
  @Test
  void shouldNeedTenSecondsAtLeast() {
    assertEquals(10, steadyAfter(DoubleStream.generate(() -> 100).limit(20)));
  }

  @Test
  void shouldWaitUntilTheThroughputClimbsNoMore() {
    DoubleStream climbing = DoubleStream.iterate(10, rate -> rate * 1.05).limit(30);
    assertEquals(0, steadyAfter(climbing));
    DoubleStream climbsForEight = DoubleStream.iterate(1, i -> i + 1).map(i -> Math.min(i, 8));
    // eight seconds of climbing, then five equal ones, preceded by five that were hardly lower
    assertEquals(16, steadyAfter(climbsForEight.limit(30)), 2);
  }

  @Test
  void shouldNotTreatNoisyThroughputAsSteady() {
    DoubleStream noisy = DoubleStream.iterate(0, i -> i + 1).map(i -> i % 3 == 0 ? 80 : 120);
    assertEquals(0, steadyAfter(noisy.limit(60)));
  }

  @Test
  void shouldBearLittleNoise() {
    DoubleStream quiet = DoubleStream.iterate(0, i -> i + 1).map(i -> i % 2 == 0 ? 97 : 103);
    assertEquals(12, steadyAfter(quiet.limit(60)), 2);
  }

  @Test
  void shouldNotTreatZeroThroughputAsSteady() {
    assertEquals(0, steadyAfter(DoubleStream.generate(() -> 0).limit(60)));
  }

  /** Returns the second in which the throughput was steady; 0 if never. */
  private static int steadyAfter(DoubleStream rates) {
    SteadyState state = new SteadyState();
    int second = 0;
    for (double rate : rates.toArray()) {
      second++;
      if (state.add(rate)) {
        return second;
      }
    }
    return 0;
  }
}
