package org.nelumbo.dm.index.tree;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The copies of inner nodes on this compute node, by address: a set-associative table that grows
 * with the tree up to {@link #SLOTS_MAX} copies of about 2.5 KiB (one covers about 7000 entries of
 * the index). Thread-safe; readers of the table never wait.
 */
final class InnerNodes {
  static final int SLOTS_MAX = 1 << 16;
  private static final int SLOTS_MIN = 1 << 8;
  private static final int WAYS = 4;

  /** Guards the growth of the table. */
  private final ReentrantLock lock = new ReentrantLock();

  private volatile AtomicReferenceArray<InnerNode> table = new AtomicReferenceArray<>(SLOTS_MIN);

  /** Returns the copy of the node at an address, or null. */
  InnerNode get(long address) {
    AtomicReferenceArray<InnerNode> slots = table;
    int set = set(slots, address);
    for (int way = 0; way < WAYS; way++) {
      InnerNode node = slots.getAcquire(set + way);
      if (node != null && node.address == address) {
        return node;
      }
    }
    return null;
  }

  /**
   * Adds a copy, which replaces an older one of this node; in a full set of the largest table it
   * replaces the copy of another node.
   */
  void put(InnerNode node) {
    while (true) {
      AtomicReferenceArray<InnerNode> slots = table;
      if (place(slots, node)) {
        return;
      }
      if (slots.length() == SLOTS_MAX) {
        int victim = (int) (mix(node.address) & (WAYS - 1));
        slots.setRelease(set(slots, node.address) + victim, node);
        return;
      }
      grow(slots);
    }
  }

  private static boolean place(AtomicReferenceArray<InnerNode> slots, InnerNode node) {
    int set = set(slots, node.address);
    int free = -1;
    for (int way = WAYS - 1; way >= 0; way--) {
      InnerNode other = slots.getAcquire(set + way);
      if (other == null) {
        free = set + way;
      } else if (other.address == node.address) {
        slots.setRelease(set + way, node);
        return true;
      }
    }
    if (free >= 0) {
      slots.setRelease(free, node);
    }
    return free >= 0;
  }

  private void grow(AtomicReferenceArray<InnerNode> old) {
    lock.lock();
    try {
      if (table == old) {
        AtomicReferenceArray<InnerNode> larger = new AtomicReferenceArray<>(old.length() * 2);
        for (int i = 0; i < old.length(); i++) {
          InnerNode node = old.getAcquire(i);
          if (node != null) {
            place(larger, node);
          }
        }
        table = larger;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Removes the copy of a node that is no longer part of the tree. */
  void remove(long address) {
    AtomicReferenceArray<InnerNode> slots = table;
    int set = set(slots, address);
    for (int way = 0; way < WAYS; way++) {
      InnerNode node = slots.getAcquire(set + way);
      if (node != null && node.address == address) {
        slots.compareAndSet(set + way, node, null);
      }
    }
  }

  private static int set(AtomicReferenceArray<InnerNode> slots, long address) {
    return (int) (mix(address) >>> 32) & (slots.length() - 1) & -WAYS;
  }

  private static long mix(long address) {
    return address * 0x9E3779B97F4A7C15L;
  }
}
