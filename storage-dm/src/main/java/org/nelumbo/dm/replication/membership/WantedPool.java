package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.pool.PoolExpectation;

/**
 * Requirements of a user on the pool to open.
 *
 * @param copies number of copies; 0 accepts any number, and gives a new pool three (or one per node
 *     if there are fewer nodes)
 * @param virtualNodes logical nodes per memory node of a new pool; 0 chooses a number that spreads
 *     the load of a failed node over all others, if the logical nodes do not get too small
 * @param force true to attach even if too few nodes have the latest state for certain: with those
 *     reachable nodes that had the latest view among them, whatever is lost
 * @param expectation whether a pool has to exist, and which one
 */
public record WantedPool(int copies, int virtualNodes, boolean force, PoolExpectation expectation) {
  /** Accepts any pool. */
  public static final WantedPool ANY = new WantedPool(0, 0, false, PoolExpectation.ANY);

  /** Returns the requirements of any pool with a number of copies and virtual nodes. */
  public static WantedPool of(int copies, int virtualNodes) {
    return new WantedPool(copies, virtualNodes, false, PoolExpectation.ANY);
  }
}
