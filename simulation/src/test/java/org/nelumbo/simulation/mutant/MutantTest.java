package org.nelumbo.simulation.mutant;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.litmus.LitmusCase;
import org.nelumbo.simulation.litmus.LitmusResult;
import org.nelumbo.simulation.litmus.LitmusRun;
import org.nelumbo.simulation.litmus.LitmusScript;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimulationFailure;

/**
 * Proves that a litmus test detects each broken engine within a number of seeds, and that the
 * unchanged engine passes the same seeds.
 */
class MutantTest {
  private static final int SCHEDULES = 4;
  private static final FabricModel MODEL = FabricModel.preset("lotus-56g").withoutCaches();

  @ParameterizedTest
  @CsvSource({
    "COMPLICIT_ABORTS, complicit-abort, SERIALIZABLE, 40",
    "COVERT_LOCKS, read-write, SERIALIZABLE, 40",
    "RELAXED_LOCKS, read-write, SERIALIZABLE, 40",
    "LOGGING_WITHOUT_LOCKING, lost-update, SERIALIZABLE, 40",
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

  /** Only the recovery of the pool reads logs, so that these mutants need a crash. */
  @ParameterizedTest
  @CsvSource({"MISSING_ACTIONS, direct-insert, 400", "LOST_DECISION, direct-write, 200"})
  void shouldBeFoundByACrashWithinSoManyStops(Mutant mutant, String name, int stopsMax) {
    LitmusScript script = LitmusScript.load(name);
    int found = firstStopFound(new LitmusRun(MODEL, mutant), script, stopsMax);
    assertTrue(found < stopsMax, mutant + " survives " + name);
    System.out.printf("%-24s found by %s after %d stops%n", mutant, name, found + 1);
    LitmusRun production = new LitmusRun(MODEL, Cluster.EngineFactory.PRODUCTION);
    int none = firstStopFound(production, script, found + 1);
    assertTrue(none > found, "the engine itself fails with stop " + none);
  }

  /**
   * Stops T1 after one more verb each time, on the schedules of four seeds in turn. Returns the
   * first number of verbs at which a fault is detected, or {@code stopsMax}.
   */
  private static int firstStopFound(LitmusRun run, LitmusScript script, int stopsMax) {
    for (int stop = 0; stop < stopsMax; stop++) {
      LitmusCase what =
          LitmusCase.undisturbed(
                  script, Isolation.SERIALIZABLE, ConflictPolicy.WAIT_DIE, stop % SCHEDULES)
              .stopping(0, new StopPoint(StopPoint.Kind.VERB, 1 + stop / SCHEDULES));
      try {
        if (run.run(what, Trace.hashing()).problem() != null) {
          return stop;
        }
      } catch (SimulationFailure e) {
        return stop;
      }
    }
    return stopsMax;
  }

  /** Returns the first seed that detects a fault, or {@code seedsMax} if none does. */
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
