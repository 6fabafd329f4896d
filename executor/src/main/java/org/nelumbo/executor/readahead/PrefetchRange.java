package org.nelumbo.executor.readahead;

import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.OrderedIndex;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.index.IndexValues;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/**
 * A range or row that is going to be read, and how far its reading ahead has come: a range of an
 * index, or a row. Reused; not thread-safe.
 */
final class PrefetchRange {
  TableStore table;

  /** Null for a row. */
  IndexStore index;

  /** Of a row. */
  long lotusKey;

  /** Where the next leaf begins; then where the range ends, included if it descends. */
  final KeyBuffer bound = new KeyBuffer();

  final KeyBuffer stop = new KeyBuffer();
  boolean ascending;

  /** Whether leaves are locked one by one. */
  boolean locksLeaves;

  /** Lock of the value whose entries are the range, if that is locked instead; else NONE. */
  long value;

  /** How many rows of it may still be read ahead. */
  int rowsLeft;

  /** The next leaf to look at; NULL if there is nothing more to be read ahead. */
  long leaf;

  /** Whether it is a range that goes on. */
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

  boolean isBeyond(LeafCursor cursor, int entry) {
    if (stop.length == 0) {
      return false;
    }
    int order = cursor.compareKey(entry, stop.bytes, stop.length);
    return ascending ? order >= 0 : order < 0;
  }

  /** The leaf has been looked at, and all its entries are in the range. */
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
