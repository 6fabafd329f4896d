package org.nelumbo.simulation.disk;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

/** Runs some seeds: faulty disks lose no data, or the loss is detected. */
class DiskFaultRunTest {
  private static final int SEEDS = 8;

  @Test
  void shouldServeOnlyStatesThatExisted() {
    FaultSeeds run = FaultScenario.DISK_FAULTS.newRuns();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
