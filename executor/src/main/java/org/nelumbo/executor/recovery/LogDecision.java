package org.nelumbo.executor.recovery;

/**
 * Decides which transactions of a failed compute node are committed, from what its commit protocol
 * has left in the pool ({@link org.nelumbo.executor.commit.CommitProtocol}), and completes those.
 * Interrupted anywhere, it decides the same when it runs again. For one thread.
 */
interface LogDecision {
  /** Completes the transactions of all compute nodes. */
  void run();

  /** Completes the transactions of the compute node with an entry of the compute-node table. */
  void runOf(int entry);

  /** Returns the blocks of the logs of the compute node with an entry, directory included. */
  long[] blocksOf(int entry);

  /**
   * Forgets all logs, the entries of their compute nodes and the configuration of the cluster. To
   * be called when the pool has no pending transaction any more.
   */
  void clear();
}
