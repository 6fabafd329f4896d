package org.nelumbo.simulation.fault;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.nelumbo.simulation.world.SimTask;

/**
 * A countdown of the locations in the engine's code from which verbs are posted or awaited. Each
 * location counts once, and an action runs at the n-th one. Rare steps, such as those of an index
 * split, are therefore reached about as often as those of each transaction.
 */
final class RareSteps {
  /** Number of frames that identify a location: the caller of a helper counts, too. */
  private static final int FRAMES = 3;

  private static final StackWalker WALKER = StackWalker.getInstance();

  private final Predicate<SimTask> counts;
  private final Consumer<SimTask> action;
  private final Set<List<String>> seen = new HashSet<>();
  private long left;

  /**
   * Creates a countdown that has not begun.
   *
   * @param n number of the location at which the action runs
   * @param counts selects the tasks whose steps are counted
   * @param action runs there, on the task that reaches it
   */
  RareSteps(long n, Predicate<SimTask> counts, Consumer<SimTask> action) {
    this.left = n;
    this.counts = counts;
    this.action = action;
  }

  /** Counts a step of the running task; returns true if it reached the location. */
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

  /** Returns true if a class belongs to the simulator, or to code that forwards all verbs alike. */
  private static boolean isOfFabric(String className) {
    return className.startsWith("org.nelumbo.simulation.")
        || className.startsWith("org.nelumbo.dm.pool.")
        || className.startsWith("org.nelumbo.dm.replication.verbs.");
  }
}
