package org.nelumbo.executor.index;

import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.table.IndexStore;

/**
 * Leaves of unique indexes where the entries of values are, or would be: those of many values are
 * read in one round trip. Values are given as entry keys without the primary key. Not thread-safe.
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
   * Posts the READ of a value's leaf; the caller reserves staging space up to {@link #read}. False
   * if there is no room for it.
   */
  boolean post(IndexStore index, KeyBuffer value) {
    return leaves.post(channel, index.tree(), leafOf(index, value), false);
  }

  private long leafOf(IndexStore index, KeyBuffer value) {
    return cursors.of(index).firstLeaf(channel, value.bytes, value.length, ScanDirection.ASCENDING);
  }

  /** Reads what was posted. */
  void read() {
    if (leaves.isPosted()) {
      channel.flush();
      leaves.accept(channel);
    }
  }

  /**
   * How many entries a value has, which are then the first ones that {@link #cursor} shows; -1 if
   * what was read does not tell, since a leaf was being written, say, or they are in several.
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

  /** Shows the entries of the value that was asked for last. */
  LeafCursor cursor(IndexStore index) {
    return cursors.of(index);
  }

  /** Forgets what was read. */
  void clear() {
    leaves.truncate(0);
  }
}
