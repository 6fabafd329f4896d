package org.nelumbo.dm.index.tree;

import java.util.Arrays;
import org.nelumbo.dm.index.LeafImages;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Lookups of keys in ordered indexes that share one round trip: {@link #clear}, {@link #post} for
 * each key, flush, {@link #take} for each key. Each leaf is read once, however many of the keys it
 * has, or not at all if its content is known. Not thread-safe.
 */
public final class LeafLookups {
  private static final int NOT_LOADED = -1;

  private final OrderedIndex[] indexes;
  private final long[] leaves;
  private final int[] stagingOffsets;

  /** Contents that are known; null for leaves that are read. */
  private final byte[][] images;

  private final LeafImages known;
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
   * @param known contents of leaves that need not be read
   */
  public LeafLookups(int capacity, LeafImages known) {
    this.known = known;
    images = new byte[capacity][];
    indexes = new OrderedIndex[capacity];
    leaves = new long[capacity];
    stagingOffsets = new int[capacity];
  }

  /** Starts a new set of lookups. */
  public void clear() {
    Arrays.fill(images, 0, count, null);
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
    images[count] = known.find(index.access(), leaf);
    if (images[count] == null) {
      stagingOffsets[count] = channel.reserve(NodeAccess.READ_BYTES);
      index.access().postRead(channel, leaf, stagingOffsets[count]);
    }
    return count++;
  }

  /**
   * Returns the address that a key maps to, or NULL, after the flush. If the leaf was being
   * written, or was another one, this reads more and flushes the channel itself.
   */
  public long take(Channel channel, OrderedIndex index, int ticket, byte[] key, int length) {
    if (ticket < count
        && isLoaded(channel, ticket)
        && Navigator.covers(node, Navigator.AT, key, length)) {
      return value(key, length);
    }
    return index.get(channel, key, length);
  }

  /**
   * Returns the address that a key maps to, or NULL, as {@link OrderedIndex#get} does, without a
   * READ if the content of the leaf is known. Ends the present set of lookups.
   */
  public long get(Channel channel, OrderedIndex index, byte[] key, int length) {
    clear();
    long leaf = index.leaf(channel, key, length);
    byte[] image = known.find(index.access(), leaf);
    if (image != null) {
      node.loadImage(image, leaf);
      if (node.level() == 0 && Navigator.covers(node, Navigator.AT, key, length)) {
        return value(key, length);
      }
    }
    return index.get(channel, key, length);
  }

  private long value(byte[] key, int length) {
    int at = node.lowerBound(key, length);
    return node.hasKeyAt(at, key, length) ? node.value(at) : PoolAddress.NULL;
  }

  private boolean isLoaded(Channel channel, int ticket) {
    if (loaded != ticket) {
      loaded = ticket;
      isUsable = load(channel, ticket) == NodeAccess.OK && node.level() == 0;
    }
    return isUsable;
  }

  private int load(Channel channel, int ticket) {
    if (images[ticket] != null) {
      node.loadImage(images[ticket], leaves[ticket]);
      return NodeAccess.OK;
    }
    NodeAccess access = indexes[ticket].access();
    return access.take(channel, leaves[ticket], stagingOffsets[ticket], node);
  }
}
