package org.nelumbo.simulation.scale;

/** The choice of the compute node that runs the transactions of a shard. */
enum Routing {
  /** The compute node that grants the shard's locks. */
  OWNER,
  /** Every other transaction at the owner, the others elsewhere. */
  HALF,
  /** Any compute node except the owner. */
  ELSEWHERE,
  /** Any compute node. */
  ANY
}
