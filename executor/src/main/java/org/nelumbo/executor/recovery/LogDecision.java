package org.nelumbo.executor.recovery;

/**
 * Decides which transactions of a failed compute node are committed, from the data that its commit
 * protocol has left in the pool ({@link org.nelumbo.executor.commit.CommitProtocol}), and completes
 * these. If it is interrupted, it makes the same decisions when it runs again. Confined to one
 * thread.
 */
interface LogDecision {
  /** Completes the transactions of all compute nodes. */
  void run();

  /** Completes the transactions of the compute node with an entry of the compute-node table. */
  void runOf(int entry);

  /** Returns the blocks of the logs of the compute node with an entry, including the directory. */
  long[] blocksOf(int entry);

  /**
   * Erases all logs, the entries of their compute nodes and the configuration of the cluster. The
   * pool must have no pending transaction any more.
   */
  void clear();
}
