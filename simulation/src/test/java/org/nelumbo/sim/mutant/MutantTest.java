package org.nelumbo.sim.mutant;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.executor.txn.ConflictPolicy;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.sim.cluster.Cluster;
import org.nelumbo.sim.fabric.FabricModel;
import org.nelumbo.sim.litmus.LitmusCase;
import org.nelumbo.sim.litmus.LitmusResult;
import org.nelumbo.sim.litmus.LitmusRun;
import org.nelumbo.sim.litmus.LitmusScript;
import org.nelumbo.sim.trace.Trace;
import org.nelumbo.sim.world.SimulationFailure;

/**
 * Each broken engine is found by a litmus test within a number of seeds; the engine as it is passes
 * the same seeds.
 */
class MutantTest {
  private static final FabricModel MODEL = FabricModel.preset("lotus-56g").withoutCaches();

  @ParameterizedTest
  @CsvSource({
    "COMPLICIT_ABORTS, complicit-abort, SERIALIZABLE, 40",
    "COVERT_LOCKS, read-write, SERIALIZABLE, 40",
    "RELAXED_LOCKS, read-write, SERIALIZABLE, 40",
    "NO_PHANTOM_LOCK, phantom, SERIALIZABLE, 40",
    "SKIP_INVISIBLE, many-readers, SERIALIZABLE, 40",
    "UNLOCK_BEFORE_VISIBLE, lost-update, SERIALIZABLE, 150",
    "REUSE_WITHOUT_EPOCHS, long-reader, SNAPSHOT, 20",
    "TIMESTAMP_BEFORE_LOCKS, complicit-abort, SERIALIZABLE, 40",
    "TIMESTAMP_BEFORE_LOCKS, lost-update, SNAPSHOT, 40"
  })
  void shouldBeFoundWithinSoManySeeds(
      Mutant mutant, String name, Isolation isolation, int seedsMax) {
    LitmusScript script = LitmusScript.load(name);
    int found = firstFound(new LitmusRun(MODEL, mutant), script, isolation, seedsMax);
    assertTrue(found < seedsMax, mutant + " survives " + name);
    System.out.printf("%-24s found by %s after %d seeds%n", mutant, name, found + 1);
    LitmusRun production = new LitmusRun(MODEL, Cluster.EngineFactory.PRODUCTION);
    int none = firstFound(production, script, isolation, found + 1);
    assertTrue(none > found, "the engine itself fails with seed " + none);
  }

  /** The first seed that shows something wrong, {@code seedsMax} if none does. */
  private static int firstFound(
      LitmusRun run, LitmusScript script, Isolation isolation, int seedsMax) {
    for (int seed = 0; seed < seedsMax; seed++) {
      if (isFound(
          run, script, LitmusCase.undisturbed(script, isolation, ConflictPolicy.WAIT_DIE, seed))) {
        return seed;
      }
    }
    return seedsMax;
  }

  private static boolean isFound(LitmusRun run, LitmusScript script, LitmusCase what) {
    try {
      LitmusResult result = run.run(what, Trace.hashing());
      return result.problem() != null
          || !script.outcomes().get(what.isolation()).contains(result.outcome());
    } catch (SimulationFailure e) {
      return true;
    }
  }
}
