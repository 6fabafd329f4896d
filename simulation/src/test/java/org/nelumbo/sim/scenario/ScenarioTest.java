package org.nelumbo.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.sim.fabric.SimMemory;
import org.nelumbo.sim.trace.Trace;

/** Every scenario holds for a fixed set of seeds. */
class ScenarioTest {
  private static final int SEEDS = 5;

  static List<String> names() {
    return Scenario.NAMES;
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldHoldForTheFixedSeeds(String name) throws Exception {
    Scenario scenario = Scenario.load(name, List.of());
    ScenarioRun run = new ScenarioRun(scenario, new SimMemory());
    for (long seed = 1; seed <= SEEDS; seed++) {
      RunResult result = run.run(seed, Trace.hashing());
      if (result.failure() != null) {
        throw new AssertionError("seed " + seed, result.failure());
      }
      long wanted = (long) scenario.workload().clients() * scenario.transactions();
      assertEquals(wanted, result.committed() + result.exhausted());
    }
  }
}
