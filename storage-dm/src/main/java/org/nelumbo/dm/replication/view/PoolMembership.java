package org.nelumbo.dm.replication.view;

/**
 * Membership of a memory node in a pool, as compute nodes have written it into the header of the
 * node. A node that was excluded is not told, and keeps what it knew.
 *
 * @param copies of everything; 0 if the node is empty
 * @param view number of the last view it was told; 0 if there is one copy
 * @param nodes of the pool; 0 if that is not known
 * @param liveNodes of them, in that view
 * @param filledBytes that were there already, if it is being filled; else 0
 * @param fillBytes that are to be there in the end, if it is being filled; else 0
 */
public record PoolMembership(
    Role role, int copies, long view, int nodes, int liveNodes, long filledBytes, long fillBytes) {
  public static final PoolMembership EMPTY = new PoolMembership(Role.EMPTY, 0, 0, 0, 0, 0, 0);

  /** Role of a memory node in its pool. */
  public enum Role {
    /** It has nothing of a pool. */
    EMPTY,
    /** It has the only copy of its part. */
    SINGLE,
    /** It is one of the nodes that have every write that was acknowledged. */
    LIVE,
    /** It is being filled, or its filling was broken off. */
    FILLING
  }
}
