package org.nelumbo.simulation.fault;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.nelumbo.simulation.world.SimTask;

/**
 * A countdown of the places in the engine's code from which verbs are posted or awaited, each of
 * which counts once: something happens at the n-th one. So steps that are rare, like those of a
 * split of an index, are met about as often as those of each transaction.
 */
final class RareSteps {
  /** Frames that tell one place from another: the caller of a helper, too. */
  private static final int FRAMES = 3;

  private static final StackWalker WALKER = StackWalker.getInstance();

  private final Predicate<SimTask> counts;
  private final Consumer<SimTask> action;
  private final Set<List<String>> seen = new HashSet<>();
  private long left;

  /**
   * A countdown that has not begun.
   *
   * @param n which place is the one
   * @param counts whose steps are counted
   * @param action what happens there to whoever gets there
   */
  RareSteps(long n, Predicate<SimTask> counts, Consumer<SimTask> action) {
    this.left = n;
    this.counts = counts;
    this.action = action;
  }

  /** A task, which runs now, takes a step; returns true if it was the one. */
  boolean isReachedBy(SimTask task) {
    if (!counts.test(task) || !seen.add(place()) || --left > 0) {
      return false;
    }
    action.accept(task);
    return true;
  }

  private static List<String> place() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !isOfFabric(frame.getClassName()))
                .limit(FRAMES)
                .map(
                    frame ->
                        frame.getClassName() + frame.getMethodName() + frame.getByteCodeIndex())
                .toList());
  }

  /** Whether a class is of the simulator, or of what carries all verbs alike. */
  private static boolean isOfFabric(String className) {
    return className.startsWith("org.nelumbo.simulation.")
        || className.startsWith("org.nelumbo.dm.pool.")
        || className.startsWith("org.nelumbo.dm.replication.verbs.");
  }
}
