package org.nelumbo.dm.replication.view;

/**
 * Membership of a memory node in a pool, as compute nodes have written it into the header of the
 * node. An excluded node receives no update and keeps its previous membership.
 *
 * @param copies number of copies; 0 if the node is empty
 * @param view number of the latest view written to the node; 0 if the pool has one copy
 * @param nodes number of memory nodes of the pool; 0 if it is unknown
 * @param liveNodes number of live nodes in that view
 * @param filledBytes bytes already filled if the node is being filled, and 0 otherwise
 * @param fillBytes total bytes to fill if the node is being filled, and 0 otherwise
 */
public record PoolMembership(
    Role role, int copies, long view, int nodes, int liveNodes, long filledBytes, long fillBytes) {
  public static final PoolMembership EMPTY = new PoolMembership(Role.EMPTY, 0, 0, 0, 0, 0, 0);

  /** Role of a memory node in its pool. */
  public enum Role {
    /** The node holds no part of a pool. */
    EMPTY,
    /** The node has the only copy of its part. */
    SINGLE,
    /** The node has every acknowledged write. */
    LIVE,
    /** The node is being filled, or its filling was interrupted. */
    FILLING
  }
}
