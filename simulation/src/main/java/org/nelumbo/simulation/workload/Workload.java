package org.nelumbo.simulation.workload;

import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.world.SimRandom;

/** The workload of the clients of a run. One object a run; on the world's carrier. */
public interface Workload {
  /** Puts the first rows into the table. */
  void load(ClusterSession clusterSession) throws TransactionFailed;

  /** A client with rows and randomness of its own. */
  WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random);

  /** Removes all rows of the table at once. */
  @FunctionalInterface
  interface Emptying {
    /**
     * Removes them.
     *
     * @return false if it was refused, and has removed nothing
     */
    boolean run() throws TransactionFailed;
  }

  /** Whether all rows may go away beside the clients. */
  default boolean allowsEmptying() {
    return false;
  }

  /** Has all rows removed, and takes note of it. */
  default void empty(Emptying emptying) throws TransactionFailed {
    throw new UnsupportedOperationException("the rows of this workload are not to be removed");
  }

  /**
   * Checks what the clients have left; they are done.
   *
   * @throws org.nelumbo.simulation.cluster.Violation naming what does not hold
   */
  void check(ClusterSession clusterSession) throws TransactionFailed;
}
