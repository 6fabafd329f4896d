package org.nelumbo.simulation.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.instrument.InstrumentedLoader;
import org.nelumbo.simulation.trace.Trace;

/**
 * Runs every scenario with the first seeds and with some others, which {@code
 * -Dnelumbo.test.jvm=-Dnelumbo.seed=N} sets. The seeds are fixed, so that a failure of a build
 * results from a change; {@code ./nelumbo sim} runs new seeds.
 */
class ScenarioTest {
  private static final int FIXED_SEEDS = 1;
  private static final int RANDOM_SEEDS = 1;
  private static final long RANDOM_SEED = Long.getLong("nelumbo.seed", 620_261_121);

  static List<String> names() {
    return Scenario.NAMES;
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldHoldForTheFixedSeeds(String name) throws Exception {
    run(name, 1, FIXED_SEEDS, false);
  }

  @ParameterizedTest
  @MethodSource("names")
  void shouldHoldForRandomSeeds(String name) throws Exception {
    System.out.println("random seeds of scenario " + name + " from " + RANDOM_SEED);
    run(name, RANDOM_SEED, RANDOM_SEEDS, true);
  }

  /** A node that pauses while it holds the configuration latch is fenced by a waiting node. */
  @Test
  void shouldFenceComputeNodesAfterLeaseExpiry() throws Exception {
    Map<String, String> silent =
        Map.of(
            "transactions", "30",
            "leaves", "2",
            "fault.pause.background", "0.9",
            "fault.pause.length", "2ms");
    ScenarioRun run =
        new ScenarioRun(Scenario.load("several-leaves", silent, true), new SimMemory());
    int fenced = 0;
    for (long seed = 1; seed <= 4; seed++) {
      ScenarioResult result = run.run(seed, Trace.hashing());
      assertNull(result.failure(), "seed=" + seed);
      fenced += result.lost() > 0 ? 1 : 0;
    }
    assertTrue(fenced >= 3, "runs with fenced compute nodes=" + fenced);
  }

  private static final ClassLoader INSTRUMENTED = new InstrumentedLoader(true, List.of());

  private static void runInstrumented(String name, long first, int count) {
    LongFunction<String> run = SeedRunner.in(INSTRUMENTED, name, Map.of(), 0);
    for (long seed = first; seed < first + count; seed++) {
      assertNull(run.apply(seed), "./nelumbo sim --scenario " + name + " --seed " + seed);
    }
  }

  private static void run(String name, long first, int count, boolean isAdverse)
      throws IOException {
    Scenario scenario = Scenario.load(name, Map.of(), isAdverse);
    if (scenario.faults().throwsSomething()) {
      runInstrumented(name, first, count);
      return;
    }
    ScenarioRun run = new ScenarioRun(scenario, new SimMemory());
    for (long seed = first; seed < first + count; seed++) {
      ScenarioResult result = run.run(seed, Trace.hashing());
      if (result.failure() != null) {
        throw new AssertionError(
            "./nelumbo sim --scenario " + name + " --seed " + seed, result.failure());
      }
      long wanted = (long) scenario.workload().clients() * scenario.transactions();
      long done = result.committed() + result.exhausted();
      // Readers continue until the other clients are done, as do clients on another compute node.
      if (!scenario.losesComputeNodes()
          && scenario.cluster().leaves() == 0
          && scenario.workload().readers() == 0) {
        assertEquals(wanted, done);
      } else {
        assertTrue(done >= wanted, "done=" + done + " wanted=" + wanted);
      }
    }
  }
}
