package org.nelumbo.simulation.disk;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

/** Disks that do wrong lose nothing, or what is lost is found, with some seeds. */
class DiskFaultRunTest {
  private static final int SEEDS = 8;

  @Test
  void shouldServeNoStateThatWasNotThere() {
    FaultSeeds run = FaultScenario.DISK_FAULTS.newRuns();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
