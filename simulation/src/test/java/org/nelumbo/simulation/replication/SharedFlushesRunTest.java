package org.nelumbo.simulation.replication;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

@Timeout(300)
class SharedFlushesRunTest {
  private static final long SEEDS = Long.getLong("nelumbo.flushes.seeds", 60);
  private static final long FIRST = Long.getLong("nelumbo.flushes.seed", 1);

  @Test
  void shouldKeepCopiesEqualDespiteFaults() {
    FaultSeeds run = FaultScenario.SHARED_FLUSHES.newRuns();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
    System.out.println("shared-flushes: " + run.totals());
  }
}
