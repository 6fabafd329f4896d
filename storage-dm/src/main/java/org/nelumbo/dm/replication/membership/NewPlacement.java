package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.Placement;

/**
 * Chooses the placement of the copies in a new pool from the user's requirements and the sizes of
 * the memory nodes.
 */
public final class NewPlacement {
  private static final int COPIES_DEFAULT = 3;
  private static final int NODES_MIN = 2;

  /** Limit of the eight bits that an address has for the logical node. */
  private static final int LOGICALS_MAX = 256;

  /**
   * Minimum size of a logical node. Allocators take chunks from each logical node separately, which
   * would use up most of a smaller one.
   */
  private static final long SLOT_BYTES_MIN = 8 << 20;

  /**
   * Minimum size of a logical node if not all memory nodes have copies of everything. Related data
   * should then fit one logical node, so that a flush does not have to go to more memory nodes than
   * there are copies.
   */
  private static final long PARTED_BYTES_MIN = 256 << 20;

  private NewPlacement() {}

  /**
   * Returns the placement.
   *
   * @throws PoolOpenException if the memory nodes are too few or too small
   */
  static Placement of(NodeProbe nodeProbe, WantedPool wanted, boolean isDurable) {
    int nodes = nodeProbe.nodes();
    int copies = wanted.copies() == 0 ? Math.min(COPIES_DEFAULT, nodes) : wanted.copies();
    if (nodes < NODES_MIN || nodes > NodeHeaderLayout.NODES_MAX || copies > nodes) {
      throw new PoolOpenException(
          copies
              + " copies need at least as many memory nodes, and at most 64 nodes nodes="
              + nodes);
    }
    long bytes = Long.MAX_VALUE;
    for (int node = 0; node < nodes; node++) {
      if (nodeProbe.connection(node) != null) {
        bytes = Math.min(bytes, nodeProbe.connection(node).nodeBytes());
      }
    }
    if (isDurable && copies < nodes) {
      throw new PoolOpenException(
          "each durable memory node (--durable) has a copy of all data: use as many copies"
              + " as nodes (replicas="
              + nodes
              + "), or name fewer nodes");
    }
    int virtualNodes =
        wanted.virtualNodes() > 0 ? wanted.virtualNodes() : virtualNodes(nodes, copies, bytes);
    Placement placement = Placement.of(nodes, copies, virtualNodes, bytes);
    if (placement.slotBytes() <= 0) {
      throw new PoolOpenException(
          "the memory nodes are too small: start them with more --memory bytes=" + bytes);
    }
    return placement;
  }

  /**
   * Returns the number of virtual nodes of a new pool. It is large enough to spread the load of a
   * failed node over all others, as far as the logical nodes stay large enough.
   */
  public static int virtualNodes(int nodes, int copies, long bytes) {
    long slotBytes = copies == nodes ? SLOT_BYTES_MIN : PARTED_BYTES_MIN;
    int most = Math.min(nodes - 1, LOGICALS_MAX / nodes);
    return (int) Math.max(1, Math.min(most, bytes / (copies * slotBytes)));
  }
}
