package org.nelumbo.dm.agreement;

/** Sequence of decisions that memory nodes agree on. A node is an acceptor of each by itself. */
public enum DecisionSequence {
  /** The configurations of a pool: its memory nodes, and who owns it. */
  POOL,
  /** The configurations of the compute nodes that share a pool. */
  COMPUTE_NODES
}
