package org.nelumbo.simulation.workload;

import org.nelumbo.simulation.cluster.TransactionFailed;

/** One client of a workload, in its own simulated thread. */
public interface WorkloadClient {
  /**
   * Runs one random transaction from its beginning to its commit.
   *
   * @throws TransactionFailed if it could not be committed; the caller aborts it
   */
  void transact() throws TransactionFailed;
}
