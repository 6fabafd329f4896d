package org.nelumbo.simulation.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.trace.Trace;

/** Proves that a seed determines a run: with the native API, through SQL, and with faults. */
class DeterminismTest {
  private static final Map<String, String> SHORT =
      Map.of("transactions", "10", "crash.within", "100");
  private static final Map<String, String> STOPS =
      Map.of(
          "transactions", "20",
          "fault.stop.count", "2",
          "fault.stop.within", "100",
          "fault.stop.at", "flush");

  @ParameterizedTest
  @ValueSource(strings = {"bank", "bank-snapshot", "bank-sql", "mirror-sql", "owned", "slow-nodes"})
  void shouldWriteTheSameTraceForTheSameSeed(String name) throws Exception {
    for (long seed = 100; seed < 102; seed++) {
      assertSame(trace(name, SHORT, seed), trace(name, SHORT, seed));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bank", "owned-sql"})
  void shouldWriteTheSameTraceWhenCoordinatorsStop(String name) throws Exception {
    for (long seed = 100; seed < 103; seed++) {
      String first = trace(name, STOPS, seed);
      assertTrue(first.contains("FAULT stop"), "nobody stopped");
      assertSame(first, trace(name, STOPS, seed));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"crashes", "crashes-registers", "crashes-sql", "links", "amnesia"})
  void shouldWriteTheSameTraceWhenComputeNodesLoseThePool(String name) throws Exception {
    boolean recovered = false;
    for (long seed = 100; seed < 103; seed++) {
      String first = trace(name, SHORT, seed);
      recovered |= first.contains("attached node=0 epoch=1");
      assertSame(first, trace(name, SHORT, seed));
    }
    assertTrue(recovered, "nobody attached");
  }

  @Test
  void shouldWriteDifferentTraceForDifferentSeed() throws Exception {
    assertNotEquals(trace("bank", SHORT, 1), trace("bank", SHORT, 2));
  }

  @Test
  void shouldComputeSameHashWithAndWithoutText() throws Exception {
    Scenario scenario = Scenario.load("mirror", SHORT);
    ScenarioResult text =
        new ScenarioRun(scenario, new SimMemory()).run(5, Trace.to(new StringBuilder()));
    SimMemory used = new SimMemory();
    ScenarioRun run = new ScenarioRun(scenario, used);
    run.run(4, Trace.hashing());
    assertEquals(text.hash(), run.run(5, Trace.hashing()).hash(), "memory used before");
  }

  private static String trace(String name, Map<String, String> overrides, long seed)
      throws IOException {
    StringBuilder out = new StringBuilder();
    ScenarioResult result =
        new ScenarioRun(Scenario.load(name, overrides), new SimMemory()).run(seed, Trace.to(out));
    if (result.failure() != null) {
      throw new AssertionError("seed " + seed, result.failure());
    }
    return out.toString();
  }

  /** Asserts that two traces are equal, and shows only the place where they differ. */
  private static void assertSame(String first, String second) {
    int at = 0;
    int end = Math.min(first.length(), second.length());
    while (at < end && first.charAt(at) == second.charAt(at)) {
      at++;
    }
    if (at < end || first.length() != second.length()) {
      int from = Math.max(0, at - 400);
      throw new AssertionError(
          "the traces part at "
              + at
              + "\n--- first\n"
              + first.substring(from, Math.min(first.length(), at + 400))
              + "\n--- second\n"
              + second.substring(from, Math.min(second.length(), at + 400)));
    }
  }
}
