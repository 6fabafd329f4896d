package org.nelumbo.simulation.fabric;

import org.nelumbo.simulation.world.SimTask;

/** An observer of all verbs of a pool. */
@FunctionalInterface
public interface VerbObserver {
  /**
   * Observes a verb that has been posted.
   *
   * @param task coordinator that has posted it; null outside of simulated threads
   * @param node memory node
   * @param bytes bytes that it moves
   * @param site class and method that have posted it, such as {@code CellWriter.postCell}
   */
  void posted(SimTask task, int node, VerbKind kind, int bytes, String site);
}
