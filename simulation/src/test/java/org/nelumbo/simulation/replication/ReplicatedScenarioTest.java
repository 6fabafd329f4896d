package org.nelumbo.simulation.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.world.SimulationFailure;

/**
 * While clients work, memory nodes stop at random instants and return, empty or with their memory,
 * one of three at a time. Then the compute node stops, too, and another one attaches. No committed
 * write is lost, and no client gets an error that the pool is lost. The number of seeds can be set:
 * -Dnelumbo.test.jvm=-Dnelumbo.replicas.seeds=1000
 */
class ReplicatedScenarioTest {
  private static final int SEEDS = Integer.getInteger("nelumbo.replicas.seeds", 1);

  /** Maximum number of seeds; nearly every seed detects the mutant. */
  private static final int MUTANT_SEEDS = 10;

  @ParameterizedTest
  @CsvSource({"owned, 40", "bank, 40", "mirror, 40", "growth, 40"})
  void shouldLoseNoCommittedWriteWhenMemoryNodesStop(String scenario, int transactions)
      throws Exception {
    SimMemory memory = new SimMemory();
    long random = Long.getLong("nelumbo.seed", 620_261_121);
    long faults = 0;
    for (int i = 0; i < SEEDS; i++) {
      faults += run(scenario, transactions, i + 1, 1, memory);
      faults += run(scenario, transactions, random + i, 2, memory);
    }
    assertTrue(faults >= SEEDS, "hardly a fault was injected: " + faults);
  }

  /** Runs a scenario and returns the number of stops. */
  private static long run(
      String scenario, int transactions, long seed, int spread, SimMemory memory)
      throws IOException {
    try {
      ReplicatedRun run = new ReplicatedRun(scenario, transactions, seed, memory);
      return run.spread(spread).run().faults();
    } catch (RuntimeException | Error e) {
      throw new AssertionError("scenario=" + scenario + " seed=" + seed + " spread=" + spread, e);
    }
  }

  /** The unchanged fabric passes the seed that detects the mutant. */
  @Test
  void shouldDetectLossByReadsOfLaggingCopy() throws Exception {
    SimMemory memory = new SimMemory();
    int seed = 1;
    while (seed <= MUTANT_SEEDS && !isLost(seed, memory)) {
      seed++;
    }
    assertTrue(seed <= MUTANT_SEEDS, "the mutant survives");
    System.out.printf("reads of any copy found by growth after %d seeds%n", seed);
    growth(seed, memory).run();
  }

  private static ReplicatedRun growth(int seed, SimMemory memory) throws Exception {
    return new ReplicatedRun("growth", 40, seed, memory);
  }

  private static boolean isLost(int seed, SimMemory memory) throws Exception {
    try {
      growth(seed, memory).broken(AnyCopyFabric::new).run();
      return false;
    } catch (SimulationFailure found) {
      return true;
    }
  }

  @Test
  void shouldBeTheSameRunForTheSameSeed() throws Exception {
    SimMemory memory = new SimMemory();
    ReplicatedRun.Result first = new ReplicatedRun("bank", 40, 5, memory).run();
    assertEquals(first, new ReplicatedRun("bank", 40, 5, memory).run());
  }
}
