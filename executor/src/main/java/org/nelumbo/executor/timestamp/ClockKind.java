package org.nelumbo.executor.timestamp;

/** The clocks of pools that several compute nodes use. */
public enum ClockKind {
  /** A word of the pool, from which commit timestamps are drawn: {@link PoolClock}. */
  WORD,

  /** A word for each compute node, which publishes its commits: {@link VectorClock}. */
  VECTOR
}
