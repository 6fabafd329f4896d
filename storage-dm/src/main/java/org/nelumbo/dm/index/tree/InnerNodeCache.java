package org.nelumbo.dm.index.tree;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Copies of inner nodes on the compute node, by address: a bounded, direct-mapped table of immutable copies. A copy may be out of date; then the search that used it ends in
 * a node further left than it should and goes right. Thread-safe.
 */
final class InnerNodeCache {
  private static final int SLOTS = 1 << 12;

  private final AtomicReferenceArray<Node> nodes = new AtomicReferenceArray<>(SLOTS);

  Node get(long address) {
    Node node = nodes.getAcquire(slot(address));
    return node != null && node.address == address ? node : null;
  }

  /** Keeps a copy; the caller does not change it any more. */
  void put(Node node) {
    nodes.setRelease(slot(node.address), node);
  }

  void remove(long address) {
    int slot = slot(address);
    Node node = nodes.getAcquire(slot);
    if (node != null && node.address == address) {
      nodes.setRelease(slot, null);
    }
  }

  private static int slot(long address) {
    return (int) ((address * 0x9E3779B97F4A7C15L) >>> 52);
  }
}
