package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.dm.index.LeafGuard;

/**
 * Goes through the leaves of an ordered index in either direction. It holds a private copy of one leaf at a time; with a guard, the guard is asked before the leaf is read, so
 * that nothing can be added to it unseen. Reusable; not thread-safe.
 */
public final class LeafCursor {
  private static final byte[] NO_KEY = new byte[0];

  private final OrderedIndex index;
  private final Environment environment;
  private final Node leaf = new Node();
  private LeafGuard guard = LeafGuard.NONE;
  private boolean ascending;
  private int first;
  private int count;
  private byte[] keys = new byte[4096];
  private int[] keyOffsets = new int[64];

  LeafCursor(OrderedIndex index, Environment environment) {
    this.index = index;
    this.environment = environment;
  }

  public boolean isOf(OrderedIndex other) {
    return index == other;
  }

  /** Goes to the leaf with the first entry from the bound on; a bound of length 0 is open. Answers OK (there may be no entry in it), or CONFLICT. */
  public int seek(Channel channel, byte[] bound, int length, boolean inclusive, boolean isAscending, LeafGuard leafGuard) {
    ascending = isAscending;
    guard = leafGuard;
    boolean open = length == 0;
    long address =
        open && !ascending ? index.findLastLeaf(channel) : index.findLeaf(channel, open ? NO_KEY : bound, length);
    boolean moved = false;
    while (true) {
      if (!guard.enterScan(address)) {
        return OrderedIndex.CONFLICT;
      }
      NodeAccess.read(environment, channel, address, leaf);
      if (open ? ascending || leaf.isRightmost() : leaf.place(bound, length) <= 0) {
        break;
      }
      address = leaf.right();
      moved = true;
    }
    if (moved && !open) {
      index.refreshParent(channel, bound, length);
    }
    int at = open ? (ascending ? 0 : leaf.count()) : leaf.lowerBound(bound, length);
    boolean equal = !open && leaf.hasKeyAt(at, bound, length);
    if (ascending) {
      show(equal && !inclusive ? at + 1 : at, leaf.count());
    } else {
      show(0, equal && inclusive ? at + 1 : at);
    }
    return OrderedIndex.OK;
  }

  /** Goes to the next leaf: OK (there may be no entry in it), END or CONFLICT. */
  public int nextLeaf(Channel channel) {
    int status = ascending ? moveRight(channel) : moveLeft(channel);
    if (status == OrderedIndex.OK) {
      show(0, leaf.count());
    } else {
      count = 0;
    }
    return status;
  }

  private int moveRight(Channel channel) {
    long next = leaf.right();
    if (next == PoolAddress.NULL) {
      return OrderedIndex.END;
    }
    if (!guard.enterScan(next)) {
      return OrderedIndex.CONFLICT;
    }
    NodeAccess.read(environment, channel, next, leaf);
    return OrderedIndex.OK;
  }

  /** The left sibling may have split since it was noted: goes right again to the one that now comes before this leaf. */
  private int moveLeft(Channel channel) {
    long here = leaf.address;
    long next = leaf.left();
    if (leaf.lowLength() == 0) {
      return OrderedIndex.END;
    }
    while (true) {
      if (!guard.enterScan(next)) {
        return OrderedIndex.CONFLICT;
      }
      NodeAccess.read(environment, channel, next, leaf);
      if (leaf.right() == here) {
        return OrderedIndex.OK;
      }
      next = leaf.right();
    }
  }

  private void show(int from, int to) {
    first = ascending ? from : to - 1;
    count = to - from;
    if (keyOffsets.length < count + 1) {
      keyOffsets = new int[count * 2];
    }
    int at = 0;
    for (int i = 0; i < count; i++) {
      keyOffsets[i] = at;
      if (at + NodeLayout.MAX_KEY > keys.length) {
        keys = java.util.Arrays.copyOf(keys, keys.length * 2);
      }
      at += leaf.copyKey(entry(i), keys, at);
    }
    keyOffsets[count] = at;
  }

  private int entry(int i) {
    return ascending ? first + i : first - i;
  }

  /** Entries of this leaf in the range, in scan direction. */
  public int count() {
    return count;
  }

  public long cvt(int i) {
    return leaf.value(entry(i));
  }

  public byte[] keyBytes() {
    return keys;
  }

  public int keyOffset(int i) {
    return keyOffsets[i];
  }

  public int keyLength(int i) {
    return keyOffsets[i + 1] - keyOffsets[i];
  }

  /** Compares an entry's key with a bound, as unsigned bytes. */
  public int compareKey(int i, byte[] bound, int length) {
    return leaf.compareKey(entry(i), bound, length);
  }
}
