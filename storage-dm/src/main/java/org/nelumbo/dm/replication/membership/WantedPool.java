package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.pool.PoolExpectation;

/**
 * Requirements of a user on the pool to open.
 *
 * @param copies of everything; 0: as many as it has, three (or one a node) in a new pool
 * @param virtualNodes of a new pool, logical nodes for each memory node; 0: so many that the work
 *     of a failed one goes to all others, if they do not get too small by that
 * @param force attach also if too few nodes are as they were for what they have to be the latest
 *     state: with those there are that knew the latest, whatever is lost
 * @param expectation whether there has to be a pool, and which
 */
public record WantedPool(int copies, int virtualNodes, boolean force, PoolExpectation expectation) {
  /** Any pool. */
  public static final WantedPool ANY = new WantedPool(0, 0, false, PoolExpectation.ANY);

  /** Returns any pool with so many copies and virtual nodes. */
  public static WantedPool of(int copies, int virtualNodes) {
    return new WantedPool(copies, virtualNodes, false, PoolExpectation.ANY);
  }
}
