package org.nelumbo.simulation.litmus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.trace.Trace;

/** Runs every script over several schedules, and with every coordinator stopping at every step. */
class LitmusTest {
  private static final int SCHEDULES = 150;
  private static final int UNCACHED_SCHEDULES = 15;
  private static final long STOP_SEED = 3;

  private final List<String> failures = new ArrayList<>();
  private final LitmusSuite suite = new LitmusSuite(new LitmusRun(), failures::add);

  static List<String> scripts() {
    return LitmusScript.names();
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldProduceExactlyAllowedOutcomes(String name) {
    LitmusScript script = LitmusScript.load(name);
    for (Isolation isolation : Isolation.values()) {
      suite.schedules(script, isolation, SCHEDULES);
    }
    assertEquals(List.of(), failures);
  }

  /**
   * On a near network compute nodes do not cache CVTs, so that reads take another path through the
   * engine.
   */
  @ParameterizedTest
  @MethodSource("scripts")
  void shouldProduceOnlyAllowedOutcomesWithoutCaches(String name) {
    LitmusScript script = LitmusScript.load(name);
    LitmusRun run =
        new LitmusRun(
            FabricModel.preset("lotus-56g").withoutCaches(), Cluster.EngineFactory.PRODUCTION);
    for (Isolation isolation : Isolation.values()) {
      for (int seed = 0; seed < UNCACHED_SCHEDULES; seed++) {
        LitmusCase what = LitmusCase.undisturbed(script, isolation, ConflictPolicy.WAIT_DIE, seed);
        LitmusResult result = run.run(what, Trace.hashing());
        assertNull(result.problem(), what.command());
        assertTrue(script.outcomes().get(isolation).contains(result.outcome()), what.command());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void shouldKeepOtherTransactionsCorrectAfterAnyStop(String name) {
    LitmusScript script = LitmusScript.load(name);
    suite.stops(script, Isolation.SERIALIZABLE, ConflictPolicy.WAIT_DIE, STOP_SEED);
    suite.stops(script, Isolation.SERIALIZABLE, ConflictPolicy.NO_WAIT, STOP_SEED);
    suite.stops(script, Isolation.SNAPSHOT, ConflictPolicy.WAIT_DIE, STOP_SEED);
    suite.stops(script, Isolation.SNAPSHOT, ConflictPolicy.NO_WAIT, STOP_SEED);
    assertEquals(List.of(), failures);
    assertTrue(suite.stops() > 200, "stops=" + suite.stops());
  }

  @Test
  void shouldRepeatARunToTheByte() {
    LitmusScript script = LitmusScript.load("old-snapshot");
    LitmusCase what =
        LitmusCase.undisturbed(script, Isolation.SNAPSHOT, ConflictPolicy.WAIT_DIE, 11);
    StringBuilder first = new StringBuilder();
    StringBuilder second = new StringBuilder();
    LitmusRun run = new LitmusRun();
    LitmusResult one = run.run(what, Trace.to(first));
    LitmusResult other = run.run(what, Trace.to(second));
    assertEquals(first.toString(), second.toString());
    assertEquals(one.hash(), other.hash());
  }
}
