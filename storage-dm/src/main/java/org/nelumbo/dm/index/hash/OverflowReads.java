package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.pool.Channel;

/**
 * The overflow blocks that the windows of many lookups lead to, read together: one round trip for
 * all of them, where each would take one on its own. Between the flush of the lookups and their
 * collection, {@link #post} for each, {@link #flush}, {@link #collect} for each. Not thread-safe.
 */
public final class OverflowReads {
  private final int[] places;
  private boolean posted;

  /**
   * @param capacity how many lookups there may be at a time
   */
  public OverflowReads(int capacity) {
    this.places = new int[capacity];
  }

  /**
   * Looks at the window of lookup {@code i}. Reserves 128 staging bytes if it leads to a block,
   * which the caller releases.
   *
   * @param ticket what {@link HashIndex#postLookup(Channel, long)} answered
   */
  public void post(Channel channel, int i, int ticket, long lotusKey) {
    post(channel, i, ticket, lotusKey, null);
  }

  /**
   * Adds the lookup of a key whose row, if it has none, is going to be inserted.
   *
   * @param probe of the lookup; the block has to stay in the staging buffer like the window
   */
  public void post(Channel channel, int i, int ticket, long lotusKey, HashProbe probe) {
    places[i] = EntryLookup.postOverflow(channel, ticket, lotusKey, probe);
    posted |= places[i] != HashProbe.NOT_POSTED;
  }

  /** Reads the blocks there are; nothing happens if there are none. */
  public void flush(Channel channel) {
    if (posted) {
      channel.flush();
      posted = false;
    }
  }

  /** Result of lookup {@code i}, as {@link HashIndex#collect} returns it. */
  public int collect(
      Channel channel, int i, HashIndex index, int ticket, long lotusKey, long[] out) {
    return index.collect(channel, ticket, lotusKey, places[i], out);
  }
}
