package org.nelumbo.simulation.workload;

import org.nelumbo.simulation.cluster.TransactionFailed;

/** One client of a workload, in a simulated thread of its own. */
public interface WorkloadClient {
  /**
   * Runs one transaction, drawn anew each time, from its beginning to its commit.
   *
   * @throws TransactionFailed if it could not be committed; its caller aborts it
   */
  void transact() throws TransactionFailed;
}
