package org.nelumbo.dm.index.tree;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Lookups of keys in ordered indexes that share one round trip: {@link #clear}, {@link #post} for
 * each key, flush, {@link #take} for each key. Each leaf is read once, however many of the keys it
 * has. Not thread-safe.
 */
public final class LeafLookups {
  private static final int NOT_LOADED = -1;

  private final OrderedIndex[] indexes;
  private final long[] leaves;
  private final int[] stagingOffsets;
  private final Node node = new Node();
  private int count;

  /** Number of the leaf in {@link #node}. */
  private int loaded = NOT_LOADED;

  private boolean isUsable;

  /**
   * Creates an empty set of lookups.
   *
   * @param capacity maximum number of leaves that are read together; keys of further leaves are
   *     looked up one by one
   */
  public LeafLookups(int capacity) {
    indexes = new OrderedIndex[capacity];
    leaves = new long[capacity];
    stagingOffsets = new int[capacity];
  }

  /** Starts a new set of lookups. */
  public void clear() {
    count = 0;
    loaded = NOT_LOADED;
  }

  /**
   * Posts the READ of the leaf of a key, unless it is posted already. The caller releases the
   * staging space after {@link #take}.
   *
   * @return a ticket for {@link #take}, at least 0
   */
  public int post(Channel channel, OrderedIndex index, byte[] key, int length) {
    long leaf = index.leaf(channel, key, length);
    for (int i = count - 1; i >= 0; i--) {
      if (leaves[i] == leaf && indexes[i] == index) {
        return i;
      }
    }
    if (count == leaves.length || channel.stagingAvailable() < NodeAccess.READ_BYTES) {
      return leaves.length;
    }
    indexes[count] = index;
    leaves[count] = leaf;
    stagingOffsets[count] = channel.reserve(NodeAccess.READ_BYTES);
    index.access().postRead(channel, leaf, stagingOffsets[count]);
    return count++;
  }

  /**
   * Returns the address that a key maps to, or NULL, after the flush. If the leaf was being
   * written, or was another one, this reads more and flushes the channel itself.
   */
  public long take(Channel channel, OrderedIndex index, int ticket, byte[] key, int length) {
    if (ticket < count && isLoaded(channel, ticket)) {
      if (Navigator.covers(node, Navigator.AT, key, length)) {
        int at = node.lowerBound(key, length);
        return node.hasKeyAt(at, key, length) ? node.value(at) : PoolAddress.NULL;
      }
    }
    return index.get(channel, key, length);
  }

  private boolean isLoaded(Channel channel, int ticket) {
    if (loaded != ticket) {
      loaded = ticket;
      NodeAccess access = indexes[ticket].access();
      int status = access.take(channel, leaves[ticket], stagingOffsets[ticket], node);
      isUsable = status == NodeAccess.OK && node.level() == 0;
    }
    return isUsable;
  }
}
