package org.nelumbo.dm.index.tree;

import java.util.List;
import org.nelumbo.dm.index.IndexPool;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.layout.TreeNodeLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/** A pool of two nodes for ordered indexes. */
final class TreePool extends IndexPool {
  private static final int STOCK = 8;

  TreePool(long bytes) {
    super(2, bytes);
  }

  OrderedIndex create() {
    return open(OrderedIndex.create(channel, allocator), 1);
  }

  OrderedIndex open(long root, int owner) {
    return new OrderedIndex(environment, root, _ -> clock.get(), owner);
  }

  int insert(OrderedIndex index, byte[] key, long cvt) {
    return index.insert(channel, allocator, key, key.length, cvt, LeafGuard.NONE);
  }

  int remove(OrderedIndex index, byte[] key, long cvt) {
    return index.remove(channel, key, key.length, cvt, LeafGuard.NONE);
  }

  /**
   * Makes the next allocations return blocks of one node that are available locally. The node must
   * have free memory.
   */
  void steer(int node) {
    long[] blocks = new long[STOCK];
    int shard = 0;
    do {
      for (int i = 0; i < STOCK; i++) {
        blocks[i] = allocator.allocate(TreeNodeLayout.SIZE_CLASS, shard);
      }
      for (long block : blocks) {
        allocator.free(block, TreeNodeLayout.SIZE_CLASS);
      }
      shard++;
    } while (PoolAddress.node(blocks[0]) != node);
  }

  /** Makes the next blocks come from the node of the leaf of a key, or from the other node. */
  void steer(OrderedIndex index, byte[] key, boolean sameNode) {
    int node = PoolAddress.node(index.leaf(channel, key, key.length));
    steer(sameNode ? node : 1 - node);
  }

  /** Flushes and posts until none of the inserts has more entries to post. */
  static void flushAll(Channel channel, List<LatchedInsert> inserts) {
    boolean more = true;
    while (more) {
      channel.flush();
      more = false;
      for (LatchedInsert each : inserts) {
        more |= each.postMore(channel);
      }
    }
  }

  /** Returns a key of eight big-endian bytes. */
  static byte[] key(long value) {
    byte[] key = new byte[8];
    for (int i = 0; i < 8; i++) {
      key[i] = (byte) (value >>> (56 - 8 * i));
    }
    return key;
  }

  /**
   * Returns a key of 16 bytes with four big-endian numbers, like the keys of TPC-C's order lines.
   */
  static byte[] key(int a, int b, int c, int d) {
    byte[] key = new byte[16];
    int[] parts = {a, b, c, d};
    for (int i = 0; i < 16; i++) {
      key[i] = (byte) (parts[i / 4] >>> (24 - 8 * (i % 4)));
    }
    return key;
  }

  /** Returns the value of an eight-byte key. */
  static long number(byte[] bytes, int offset) {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | bytes[offset + i] & 255;
    }
    return value;
  }
}
