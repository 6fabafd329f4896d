package org.nelumbo.simulation.cluster;

import org.nelumbo.dm.index.hash.HashIndex;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowLayout;

/**
 * Ids of table T whose keys crowd into one segment of its hash index, since their hashes end in the
 * same bits. Normally a segment is full after some hundreds of inserts. A crowded segment is full
 * again after a few, since a split leaves all of its keys on one side, until the segment is deep
 * enough. Not thread-safe.
 */
public final class CollidingIds {
  private final RowLayout layout;
  private final KeyBuffer key = new KeyBuffer();
  private final int bits;

  /**
   * @param bits number of hash bits that agree; 0: all ids qualify
   */
  public CollidingIds(ClusterOptions options, int bits) {
    this.layout = new RowLayout(RowTable.schema(options));
    this.bits = bits;
  }

  /** Returns the first of {@code id}, {@code id + step}, ... that belongs to the crowd. */
  public long from(long id, long step) {
    long candidate = id;
    while (!belongs(candidate)) {
      candidate += step;
    }
    return candidate;
  }

  private boolean belongs(long id) {
    key.clear();
    layout.keyFormat().appendLong(key, 0, id);
    layout.finishKey(key);
    return HashIndex.suffix(key.lotusKey, bits) == 0;
  }
}
