package org.nelumbo.simulation.disk;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

/** Runs some seeds: a power loss at any write loses no acknowledged commit. */
class PowerLossRunTest {
  private static final int SEEDS = 5;

  @Test
  void shouldLoseNoAcknowledgedCommit() {
    FaultSeeds run = FaultScenario.POWER_LOSS.newRuns();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
