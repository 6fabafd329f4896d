package org.nelumbo.executor.timestamp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.nelumbo.dm.litmus.SteppingEnvironment;

class DurableClockTest {
  private final SteppingEnvironment environment = new SteppingEnvironment();

  /** A clock without a log, which drawing timestamps does not use. */
  private final DurableClock clock = new DurableClock(environment, null);

  @Test
  void shouldDrawTimestampsAfterPhysicalTimeWithoutTicks() {
    for (int i = 0; i < 100; i++) {
      environment.advanceMicros(1000);
      assertTrue(clock.next(null) > Timestamps.ofEpochMicros(environment.epochMicros()));
    }
  }

  @Test
  void shouldNeverDrawTwice() {
    long first = clock.next(null);
    assertEquals(first + 1, clock.next(null));
    environment.advanceMicros(-1_000_000);
    assertEquals(first + 2, clock.next(null));
  }
}
