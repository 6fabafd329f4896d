package org.nelumbo.dm.replication.view;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.layout.NodeHeaderLayout;

/**
 * Placement of the copies. Each memory node M is the primary node of {@code virtualNodes} logical
 * nodes, M, M + n, M + 2n and so on (of n memory nodes): it has their first copies. The other
 * copies of these lie on different memory nodes, so that not one node alone has to do the work of
 * one that has died:
 *
 * <pre>
 * logical node   M + v * n,  v from 0 to virtualNodes - 1
 * first copy     M
 * copy i > 0     M + 1 + (v + i - 1) mod (n - 1), around the ring
 * </pre>
 *
 * So the second copies of a primary node's logical nodes lie on {@code virtualNodes} memory nodes
 * in a row after it; with one virtual node for each, copy i of logical node L is on L + i. Copy i
 * of a logical node with that v lies in slot v * copies + i of its memory node. Immutable.
 */
public final class Placement {
  private static final long PAGE_BYTES = 4096;

  private final int nodes;
  private final int copies;
  private final int virtualNodes;
  private final long slotBytes;

  /** The memory node of each copy of each logical node. */
  private final int[] holders;

  /** Number of the copy of each logical node that each memory node has; {@link #copies} if none. */
  private final int[] copyOn;

  /** Logical node of which a copy lies in each slot of each memory node. */
  private final int[] logicalAt;

  /**
   * @param nodes memory nodes
   * @param copies of each logical node, at most as many as there are memory nodes
   * @param virtualNodes logical nodes of which a memory node has the first copy, from 1; at most
   *     {@code nodes} - 1 are of use
   * @param slotBytes bytes of a logical node
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

  /** The placement on memory nodes of that size. */
  public static Placement of(int nodes, int copies, int virtualNodes, long nodeBytes) {
    long slotBytes =
        (nodeBytes - NodeHeaderLayout.LENGTH) / ((long) copies * virtualNodes) & -PAGE_BYTES;
    return new Placement(nodes, copies, virtualNodes, slotBytes);
  }

  /** Memory nodes. */
  public int nodes() {
    return nodes;
  }

  public int copies() {
    return copies;
  }

  /** Logical nodes of which a memory node has the first copy. */
  int virtualNodes() {
    return virtualNodes;
  }

  /** Bytes of a logical node. */
  public long slotBytes() {
    return slotBytes;
  }

  public int logicals() {
    return nodes * virtualNodes;
  }

  /** Copies that a memory node has. */
  public int slots() {
    return copies * virtualNodes;
  }

  /** Bytes that each memory node needs. */
  public long bytes() {
    return slotOffset(slots(), 0);
  }

  /** The memory node that has a copy of a logical node. */
  public int node(int logical, int copy) {
    return holders[logical * copies + copy];
  }

  /** The memory nodes that have the copies of a logical node, the first one first. */
  List<Integer> nodes(int logical) {
    List<Integer> all = new ArrayList<>();
    for (int copy = 0; copy < copies; copy++) {
      all.add(node(logical, copy));
    }
    return all;
  }

  /** The logical node of which a memory node has a copy in that slot. */
  public int logical(int node, int slot) {
    return logicalAt[slot * nodes + node];
  }

  /** Number of the copy of a logical node that a memory node has; {@code copies} if none. */
  public int copy(int node, int logical) {
    return copyOn[logical * nodes + node];
  }

  /** In which slot of its memory node a copy is. */
  public int slot(int logical, int copy) {
    return logical / nodes * copies + copy;
  }

  /** Offset in the memory node, which has that copy, of an offset in the logical node. */
  public long offset(int logical, int copy, long logicalOffset) {
    return slotOffset(slot(logical, copy), logicalOffset);
  }

  /** Offset in the memory node of an offset in a slot. */
  public long slotOffset(int slot, long offsetInSlot) {
    return NodeHeaderLayout.LENGTH + slot * slotBytes + offsetInSlot;
  }
}
