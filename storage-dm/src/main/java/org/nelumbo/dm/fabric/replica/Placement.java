package org.nelumbo.dm.fabric.replica;

import org.nelumbo.dm.layout.NodeHeaderLayout;

/**
 * Where the copies are: logical node L has its first copy on memory node L, the next on L+1, and so
 * on around the ring. Copy i lies in slot i of its memory node.
 *
 * @param nodes memory nodes, and logical nodes
 * @param copies of each logical node, at most as many as there are nodes
 * @param slotBytes bytes of a logical node
 */
record Placement(int nodes, int copies, long slotBytes) {
  private static final long PAGE_BYTES = 4096;

  /** The placement on memory nodes of that size. */
  static Placement of(int nodes, int copies, long nodeBytes) {
    long slotBytes = (nodeBytes - NodeHeaderLayout.LENGTH) / copies & -PAGE_BYTES;
    return new Placement(nodes, copies, slotBytes);
  }

  /** The memory node that has a copy of a logical node. */
  int node(int logical, int copy) {
    int node = logical + copy;
    return node < nodes ? node : node - nodes;
  }

  /** The logical node of which a memory node has that copy. */
  int logical(int node, int copy) {
    return Math.floorMod(node - copy, nodes);
  }

  /** Which copy of a logical node a memory node has; {@code copies} or more if none. */
  int copy(int node, int logical) {
    return Math.floorMod(node - logical, nodes);
  }

  /** Offset in the memory node of an offset in the logical node. */
  long offset(int copy, long logicalOffset) {
    return NodeHeaderLayout.LENGTH + copy * slotBytes + logicalOffset;
  }
}
