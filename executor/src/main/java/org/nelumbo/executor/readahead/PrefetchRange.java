package org.nelumbo.executor.readahead;

import java.util.Arrays;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.index.IndexValues;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * A range of an index, or a row, to be read ahead, with the progress of reading it. Reusable; not
 * thread-safe.
 */
final class PrefetchRange {
  TableStore table;

  /** Null for a row. */
  IndexStore index;

  /** Key of a row. */
  long lotusKey;

  /** Start of the next leaf; the end of the range is in {@link #stop} (inclusive if descending). */
  final KeyBuffer bound = new KeyBuffer();

  final KeyBuffer stop = new KeyBuffer();
  boolean ascending;

  /** True if each leaf is locked. */
  boolean locksLeaves;

  /**
   * Lock key of the value whose entries form the range, if the value is locked instead of leaves;
   * otherwise NONE.
   */
  long value;

  /** Number of rows of the range that may still be read ahead. */
  int rowsLeft;

  /** Next leaf to read; NULL if there is nothing more to read ahead. */
  long leaf;

  /** True if this is a range with more leaves to read. */
  boolean goesOn;

  void setRow(TableStore of, long key) {
    table = of;
    index = null;
    lotusKey = key;
    goesOn = false;
  }

  boolean isRow(TableStore of, long key) {
    return index == null && table == of && lotusKey == key;
  }

  void setRange(
      IndexStore of, KeyBuffer low, KeyBuffer high, boolean isAscending, boolean locks, int rows) {
    table = of.table();
    index = of;
    bound.copyFrom(isAscending ? low : high);
    stop.copyFrom(isAscending ? high : low);
    ascending = isAscending;
    value = locks ? IndexValues.lockKey(of, low, high) : IndexValues.NONE;
    locksLeaves = locks && value == IndexValues.NONE;
    rowsLeft = rows;
    leaf = PoolAddress.NULL;
    goesOn = rows > 0;
  }

  /** Returns true if this is an ascending range of an index with this upper bound. */
  boolean endsAt(IndexStore of, KeyBuffer high) {
    return index == of
        && ascending
        && Arrays.equals(stop.bytes, 0, stop.length, high.bytes, 0, high.length);
  }

  boolean isBeyond(LeafCursor cursor, int entry) {
    if (stop.length == 0) {
      return false;
    }
    int order = cursor.compareKey(entry, stop.bytes, stop.length);
    return ascending ? order >= 0 : order < 0;
  }

  /** Moves past the current leaf, all of whose entries are in the range. */
  void leaveLeaf(LeafCursor cursor) {
    goesOn =
        rowsLeft > 0 && !cursor.isLast() && !cursor.reaches(stop.bytes, stop.length, !ascending);
    if (goesOn) {
      bound.clear();
      bound.ensure(OrderedIndex.KEY_LENGTH_MAX);
      bound.length = cursor.copyFence(bound.bytes);
    }
  }
}
