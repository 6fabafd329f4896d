package org.nelumbo.simulation.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.litmus.LitmusCase;
import org.nelumbo.simulation.litmus.LitmusRun;
import org.nelumbo.simulation.litmus.LitmusScript;
import org.nelumbo.simulation.shrink.LitmusShrinker;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimulationFailure;

/**
 * Shrinks a script with an uninvolved transaction and needless steps that fails on a broken engine:
 * the result contains only steps that the failure needs.
 */
class LitmusShrinkerTest {
  private final LitmusRun run =
      new LitmusRun(FabricModel.preset("lotus-56g").withoutCaches(), Mutant.RELAXED_LOCKS);

  private boolean fails(LitmusCase what) {
    try {
      return run.run(what, Trace.hashing()).problem() != null;
    } catch (SimulationFailure e) {
      return true;
    }
  }

  @Test
  void shouldRemoveUninvolvedTransactionsAndSteps() {
    LitmusScript script = LitmusScript.load("indirect-write");
    LitmusCase failing = null;
    for (int seed = 0; failing == null; seed++) {
      LitmusCase what =
          LitmusCase.undisturbed(script, Isolation.SERIALIZABLE, ConflictPolicy.WAIT_DIE, seed);
      failing = fails(what) ? what : null;
    }
    LitmusCase small = new LitmusShrinker(this::fails, 20).shrink(failing);
    assertTrue(fails(small));
    List<String> left = small.script().body().lines().toList();
    assertEquals(2, left.size(), left.toString());
    assertTrue(left.stream().allMatch(line -> line.matches("T[12]: (read x; )?write x")));
  }
}
