package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.Placement;

/** Placement of the copies in a new pool, by what is wanted and what the memory nodes have. */
public final class NewPlacement {
  private static final int COPIES_DEFAULT = 3;
  private static final int NODES_MIN = 2;

  /** An address has eight bits for them. */
  private static final int LOGICALS_MAX = 256;

  /** Allocators take chunks of each logical node apart: of small ones little would be left. */
  private static final long SLOT_BYTES_MIN = 8 << 20;

  /**
   * Smallest logical node if not all memory nodes have copies of everything. Then what belongs
   * together is to be on one logical node, so that a flush need not go to more memory nodes than
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
              + " copies of everything need at least as many memory nodes, and at most 64 nodes"
              + " nodes="
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
          "each durable memory node (--durable) has a copy of everything: have as many copies as"
              + " nodes (replicas="
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
   * Number of virtual nodes of a new pool: so many that a dead node's work goes to all others, as
   * far as that leaves slots large enough.
   */
  public static int virtualNodes(int nodes, int copies, long bytes) {
    long slotBytes = copies == nodes ? SLOT_BYTES_MIN : PARTED_BYTES_MIN;
    int most = Math.min(nodes - 1, LOGICALS_MAX / nodes);
    return (int) Math.max(1, Math.min(most, bytes / (copies * slotBytes)));
  }
}
