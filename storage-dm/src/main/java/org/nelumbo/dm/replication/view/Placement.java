package org.nelumbo.dm.replication.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.layout.NodeHeaderLayout;

/**
 * Placement of the copies on memory nodes. In a pool of n memory nodes, each memory node M is the
 * home of the {@code virtualNodes} logical nodes M, M + n, M + 2n and so on, and holds their first
 * copies. The other copies are spread over different memory nodes, so that the load of a failed
 * node is shared by several others:
 *
 * <pre>
 * logical node   M + v * n,  v from 0 to virtualNodes - 1
 * first copy     M
 * copy i > 0     M + 1 + (v + i - 1) mod (n - 1), around the ring
 * </pre>
 *
 * The second copies of the logical nodes at home on M lie on the next {@code virtualNodes} memory
 * nodes. With one virtual node per memory node, copy i of logical node L is on L + i. Copy i of a
 * logical node with variant v occupies slot v * copies + i of its memory node. Immutable.
 */
public final class Placement {
  private static final long PAGE_BYTES = 4096;

  private final int nodes;
  private final int copies;
  private final int virtualNodes;
  private final long slotBytes;

  /** Memory node of each copy of each logical node. */
  private final int[] holders;

  /** Number of the copy that each memory node has of each logical node; {@link #copies} if none. */
  private final int[] copyOn;

  /** Logical node of each slot of each memory node. */
  private final int[] logicalAt;

  /**
   * @param nodes number of memory nodes
   * @param copies number of copies of each logical node, at most {@code nodes}
   * @param virtualNodes number of logical nodes at home on each memory node, from 1; more than
   *     {@code nodes} - 1 are of no use
   * @param slotBytes size of a logical node in bytes
   */
  public Placement(int nodes, int copies, int virtualNodes, long slotBytes) {
    this.nodes = nodes;
    this.copies = copies;
    this.virtualNodes = virtualNodes;
    this.slotBytes = slotBytes;
    holders = new int[logicals() * copies];
    copyOn = new int[logicals() * nodes];
    logicalAt = new int[slots() * nodes];
    Arrays.fill(copyOn, copies);
    for (int logical = 0; logical < logicals(); logical++) {
      for (int copy = 0; copy < copies; copy++) {
        int node = (logical + distance(logical / nodes, copy)) % nodes;
        assert copyOn[logical * nodes + node] == copies : "two copies on one node=" + node;
        holders[logical * copies + copy] = node;
        copyOn[logical * nodes + node] = copy;
        logicalAt[slot(logical, copy) * nodes + node] = logical;
      }
    }
  }

  private int distance(int variant, int copy) {
    return copy == 0 ? 0 : 1 + (variant + copy - 1) % (nodes - 1);
  }

  /** Creates the placement for memory nodes of a given size. */
  public static Placement of(int nodes, int copies, int virtualNodes, long nodeBytes) {
    long slotBytes =
        (nodeBytes - NodeHeaderLayout.LENGTH) / ((long) copies * virtualNodes) & -PAGE_BYTES;
    return new Placement(nodes, copies, virtualNodes, slotBytes);
  }

  /** Returns the number of memory nodes. */
  public int nodes() {
    return nodes;
  }

  public int copies() {
    return copies;
  }

  /** Returns the number of logical nodes at home on each memory node. */
  int virtualNodes() {
    return virtualNodes;
  }

  /** Returns the size of a logical node in bytes. */
  public long slotBytes() {
    return slotBytes;
  }

  public int logicals() {
    return nodes * virtualNodes;
  }

  /** Returns the number of copies on each memory node. */
  public int slots() {
    return copies * virtualNodes;
  }

  /** Returns the number of bytes that each memory node needs. */
  public long bytes() {
    return slotOffset(slots(), 0);
  }

  /** Returns the memory node of a copy of a logical node. */
  public int node(int logical, int copy) {
    return holders[logical * copies + copy];
  }

  /** Returns the memory nodes of all copies of a logical node, that of the first copy first. */
  List<Integer> nodes(int logical) {
    List<Integer> all = new ArrayList<>();
    for (int copy = 0; copy < copies; copy++) {
      all.add(node(logical, copy));
    }
    return all;
  }

  /** Returns the logical node whose copy is in a slot of a memory node. */
  public int logical(int node, int slot) {
    return logicalAt[slot * nodes + node];
  }

  /**
   * Returns the number of the copy that a memory node has of a logical node; {@code copies} if it
   * has none.
   */
  public int copy(int node, int logical) {
    return copyOn[logical * nodes + node];
  }

  /** Returns the slot of a copy on its memory node. */
  public int slot(int logical, int copy) {
    return logical / nodes * copies + copy;
  }

  /** Translates an offset in a logical node to the offset in the memory node of a copy. */
  public long offset(int logical, int copy, long logicalOffset) {
    return slotOffset(slot(logical, copy), logicalOffset);
  }

  /** Translates an offset in a slot to the offset in the memory node. */
  public long slotOffset(int slot, long offsetInSlot) {
    return NodeHeaderLayout.LENGTH + slot * slotBytes + offsetInSlot;
  }
}
