package org.nelumbo.simulation.scale;

/** To which compute node the transactions of a row's shard are sent. */
enum Routing {
  /** To the one that grants the shard's locks. */
  OWNER,
  /** Every other one to the owner, the others elsewhere. */
  HALF,
  /** To any but the owner. */
  ELSEWHERE,
  /** To any one. */
  ANY
}
