package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BackoffTest {
  @Property(seed = "1")
  void shouldStayBelowACeilingThatDoubles(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 1_000) int conflicts) {
    long nanos = new Backoff(seed).nanosAfter(conflicts);
    double ceiling = Backoff.FIRST_CEILING_NANOS * Math.pow(2, conflicts - 1.0);
    assertTrue(nanos >= 1);
    assertTrue(nanos <= Math.min(ceiling, Backoff.LAST_CEILING_NANOS));
  }
}
