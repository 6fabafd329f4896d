package org.nelumbo.executor.cluster;

/** Keeps a compute node from the memory of the pool. */
@FunctionalInterface
public interface Fence {
  /**
   * Returns when none of the node's verbs can take effect any more: memory nodes refuse it, or its
   * process is gone. Does nothing more if it is called again. Thread-safe.
   *
   * @throws org.nelumbo.dm.pool.FabricException if that cannot be had: nothing of the node may be
   *     touched then
   */
  void fence(ClusterNode node);
}
