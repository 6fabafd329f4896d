package org.nelumbo.simulation.damage;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

/** Damage to the rows of one table costs no other one anything, with some seeds. */
class DamageRunTest {
  private static final int SEEDS = 12;

  @Test
  void shouldLoseNothingButWhatIsDamaged() {
    FaultSeeds run = FaultScenario.DAMAGE.newRuns();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
