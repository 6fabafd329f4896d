package org.nelumbo.sim.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.sim.fabric.SimMemory;

/**
 * Memory nodes stop at random instants and return empty, up to two of three at a time, while
 * clients work; then the compute node stops, too, and another one attaches. No committed write is
 * lost, and nobody is told that the pool was. As many seeds as wanted:
 * -Dnelumbo.test.jvm=-Dnelumbo.replicas.seeds=1000
 */
class ReplicatedScenarioTest {
  private static final int SEEDS = Integer.getInteger("nelumbo.replicas.seeds", 1);

  @ParameterizedTest
  @CsvSource({"owned, 40", "bank, 40", "mirror, 40", "growth, 60"})
  void shouldLoseNothingWhenMemoryNodesStop(String scenario, int transactions) throws Exception {
    SimMemory memory = new SimMemory();
    long random = Long.getLong("nelumbo.seed", 620_261_121);
    long faults = 0;
    for (int i = 0; i < SEEDS; i++) {
      for (long seed : List.of((long) i + 1, random + i)) {
        try {
          faults += new ReplicatedRun(scenario, transactions, seed, memory).run().faults();
        } catch (RuntimeException | Error e) {
          throw new AssertionError("scenario=" + scenario + " seed=" + seed, e);
        }
      }
    }
    assertTrue(faults >= SEEDS, "hardly a fault was injected: " + faults);
  }

  @Test
  void shouldBeTheSameRunForTheSameSeed() throws Exception {
    SimMemory memory = new SimMemory();
    ReplicatedRun.Result first = new ReplicatedRun("bank", 40, 5, memory).run();
    assertEquals(first, new ReplicatedRun("bank", 40, 5, memory).run());
  }
}
