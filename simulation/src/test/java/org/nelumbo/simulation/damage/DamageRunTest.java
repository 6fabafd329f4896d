package org.nelumbo.simulation.damage;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Damage to the rows of one table costs no other one anything, with some seeds. */
class DamageRunTest {
  private static final int SEEDS = 12;

  @Test
  void shouldLoseNothingButWhatIsDamaged() {
    DamageRun run = new DamageRun();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
