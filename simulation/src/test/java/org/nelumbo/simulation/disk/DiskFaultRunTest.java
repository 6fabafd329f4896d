package org.nelumbo.simulation.disk;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Disks that do wrong lose nothing, or what is lost is found, with some seeds. */
class DiskFaultRunTest {
  private static final int SEEDS = 8;

  @Test
  void shouldServeNoStateThatWasNotThere() {
    DiskFaultRun run = new DiskFaultRun();
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
  }
}
