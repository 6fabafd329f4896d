package org.nelumbo.simulation.agreement;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.simulation.run.FaultSeeds;
import org.nelumbo.simulation.scenario.FaultScenario;

@Timeout(300)
class AgreementRunTest {
  private static final long SEEDS = Long.getLong("nelumbo.agreement.seeds", 150);
  private static final long FIRST = Long.getLong("nelumbo.agreement.seed", 1);

  @Test
  void shouldReachAgreementDespiteFaults() {
    FaultSeeds run = FaultScenario.AGREEMENT.newRuns();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      assertNull(run.apply(seed));
    }
    System.out.println("agreement: " + run.totals());
  }
}
