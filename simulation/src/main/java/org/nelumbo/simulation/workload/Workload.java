package org.nelumbo.simulation.workload;

import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.world.SimRandom;

/**
 * The workload of the clients of a run. There is one instance per run, used on the world's carrier.
 */
public interface Workload {
  /** Inserts the initial rows. */
  void load(ClusterSession clusterSession) throws TransactionFailed;

  /** Creates a client with its own rows and its own random numbers. */
  WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random);

  /** An operation that removes all rows of the table at once. */
  @FunctionalInterface
  interface Emptying {
    /**
     * Removes all rows.
     *
     * @return false if the operation was refused and has removed nothing
     */
    boolean run() throws TransactionFailed;
  }

  /** Returns true if all rows may be removed while clients work. */
  default boolean allowsEmptying() {
    return false;
  }

  /** Removes all rows, and records the removal. */
  default void empty(Emptying emptying) throws TransactionFailed {
    throw new UnsupportedOperationException("the rows of this workload must not be removed");
  }

  /**
   * Checks the final rows, after all clients are done.
   *
   * @throws org.nelumbo.simulation.cluster.Violation with a description of the failed check
   */
  void check(ClusterSession clusterSession) throws TransactionFailed;
}
