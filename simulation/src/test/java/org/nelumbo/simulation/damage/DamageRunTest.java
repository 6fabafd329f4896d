package org.nelumbo.simulation.damage;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

/** Runs some seeds: damage to the rows of one table does not affect any other table. */
class DamageRunTest {
  private static final int SEEDS = 12;

  @Test
  void shouldPreserveUndamagedTables() {
    FaultSeeds run = FaultScenario.DAMAGE.newRuns();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
