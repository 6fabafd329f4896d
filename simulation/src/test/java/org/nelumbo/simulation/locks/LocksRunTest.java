package org.nelumbo.simulation.locks;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

@Timeout(300)
class LocksRunTest {
  private static final long SEEDS = Long.getLong("nelumbo.locks.seeds", 25);
  private static final long FIRST = Long.getLong("nelumbo.locks.seed", 1);

  @Test
  void shouldKeepLockInvariantsDespiteFaults() {
    FaultSeeds run = FaultScenario.LOCKS.newRuns();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
    System.out.println("locks: " + run.totals());
  }
}
