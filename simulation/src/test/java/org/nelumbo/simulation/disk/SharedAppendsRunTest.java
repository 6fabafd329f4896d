package org.nelumbo.simulation.disk;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

@Timeout(300)
class SharedAppendsRunTest {
  private static final long SEEDS = Long.getLong("nelumbo.appends.seeds", 20);
  private static final long FIRST = Long.getLong("nelumbo.appends.seed", 1);

  @Test
  void shouldKeepLogsEqualDespiteFaults() {
    FaultSeeds run = FaultScenario.SHARED_APPENDS.newRuns();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
    System.out.println("shared-appends: " + run.totals());
  }
}
