package org.nelumbo.simulation.disk;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Power that is lost at any write loses nothing that was acknowledged, with some seeds. */
class PowerLossRunTest {
  private static final int SEEDS = 5;

  @Test
  void shouldLoseNothingThatWasAcknowledged() {
    PowerLossRun run = new PowerLossRun();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
