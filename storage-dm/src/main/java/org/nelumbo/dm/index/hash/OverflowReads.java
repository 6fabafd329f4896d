package org.nelumbo.dm.index.hash;

import org.nelumbo.dm.pool.Channel;

/**
 * Reads the overflow blocks of many lookups together: one round trip for all of them instead of one
 * for each. Between the flush of the lookups and their collection, call {@link #post} for each,
 * then {@link #flush}, then {@link #collect} for each. Not thread-safe.
 */
public final class OverflowReads {
  private final int[] stagingOffsets;
  private boolean posted;

  /**
   * Creates the buffers.
   *
   * @param capacity maximum number of lookups at a time
   */
  public OverflowReads(int capacity) {
    this.stagingOffsets = new int[capacity];
  }

  /**
   * Posts the READ of the overflow block of lookup {@code i}, if its window has one. Reserves 128
   * staging bytes for it, which the caller releases.
   *
   * @param ticket result of {@link HashIndex#postLookup(Channel, long)}
   */
  public void post(Channel channel, int i, int ticket, long lotusKey) {
    post(channel, i, ticket, lotusKey, null);
  }

  /**
   * Posts the READ for a lookup of a key whose row will be inserted if it is absent.
   *
   * @param probe probe of the lookup; the block must stay in the staging buffer, as the window
   */
  public void post(Channel channel, int i, int ticket, long lotusKey, HashProbe probe) {
    stagingOffsets[i] = EntryLookup.postOverflow(channel, ticket, lotusKey, probe);
    posted |= stagingOffsets[i] != HashProbe.NOT_POSTED;
  }

  /** Reads the posted blocks; does nothing if there are none. */
  public void flush(Channel channel) {
    if (posted) {
      channel.flush();
      posted = false;
    }
  }

  /** Returns the result of lookup {@code i}, as {@link HashIndex#collect} does. */
  public int collect(
      Channel channel, int i, HashIndex index, int ticket, long lotusKey, long[] out) {
    return index.collect(channel, ticket, lotusKey, stagingOffsets[i], out);
  }
}
