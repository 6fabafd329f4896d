package org.nelumbo.sim.workload;

import org.nelumbo.sim.cluster.Rows;
import org.nelumbo.sim.cluster.TransactionFailed;
import org.nelumbo.sim.world.SimRandom;

/** What the clients of a run do. One object a run; on the world's carrier. */
public interface Workload {
  /** Puts the first rows into the table. */
  void load(Rows rows) throws TransactionFailed;

  /** A client with rows and randomness of its own. */
  Client newClient(int index, Rows rows, SimRandom random);

  /**
   * Checks what the clients have left; they are done.
   *
   * @throws org.nelumbo.sim.cluster.Violation naming what does not hold
   */
  void check(Rows rows) throws TransactionFailed;
}
