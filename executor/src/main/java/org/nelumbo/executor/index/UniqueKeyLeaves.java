package org.nelumbo.executor.index;

import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.table.IndexStore;

/**
 * Reads the leaves of unique indexes that contain, or would contain, the entries of given values;
 * the leaves of many values are read in one round trip. Values are given as entry keys without the
 * primary key. Not thread-safe.
 */
final class UniqueKeyLeaves {
  private static final int LEAVES_MAX = 256;

  private final Channel channel;
  private final PrefetchedLeaves leaves = new PrefetchedLeaves(LEAVES_MAX);
  private final PrefetchCursors cursors = new PrefetchCursors(leaves);
  private final KeyBuffer end = new KeyBuffer();

  UniqueKeyLeaves(Channel channel) {
    this.channel = channel;
  }

  /**
   * Posts the READ of a value's leaf. The caller keeps the reserved staging space until {@link
   * #read}. Returns false if there is no room for the leaf.
   */
  boolean post(IndexStore index, KeyBuffer value) {
    return leaves.post(channel, index.tree(), leafOf(index, value), false);
  }

  private long leafOf(IndexStore index, KeyBuffer value) {
    return cursors.of(index).firstLeaf(channel, value.bytes, value.length, ScanDirection.ASCENDING);
  }

  /** Flushes and accepts the posted READs. */
  void read() {
    if (leaves.isPosted()) {
      channel.flush();
      leaves.accept(channel);
    }
  }

  /**
   * Returns the number of entries of a value; they are the first entries that {@link #cursor}
   * shows. Returns -1 if the number is unknown, for example because the leaf was being written, or
   * because the entries are in several leaves.
   */
  int entries(IndexStore index, KeyBuffer value) {
    LeafCursor cursor = cursors.of(index);
    if (!cursor.seekPrefetched(
        leafOf(index, value), value.bytes, value.length, ScanDirection.ASCENDING)) {
      return -1;
    }
    for (int i = 0; i < cursor.count(); i++) {
      if (!IndexValues.hasPrefix(cursor, i, value, value.length)) {
        return i;
      }
    }
    end.copyFrom(value);
    KeyEncoder.toPrefixSuccessor(end);
    return cursor.reaches(end.bytes, end.length, false) ? cursor.count() : -1;
  }

  /** Returns the cursor with the entries of the value passed to the last {@link #entries}. */
  LeafCursor cursor(IndexStore index) {
    return cursors.of(index);
  }

  /** Discards the leaves that were read. */
  void clear() {
    leaves.truncate(0);
  }
}
