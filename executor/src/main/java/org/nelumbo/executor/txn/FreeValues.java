package org.nelumbo.executor.txn;

import java.util.Arrays;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.LeavesAhead;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * Finds those of many new rows whose unique values nobody has, in one round trip for all of them:
 * locks the values, then reads the leaves where their entries would be. Under the lock of a value
 * nobody else adds an entry with it ({@link UniqueCheck}); so a row none of whose values has an
 * entry may be inserted like one of a table without unique index. The others, of whom most are
 * duplicates, are to be checked one by one. Not thread-safe.
 */
final class FreeValues {
  private static final int LEAVES_MAX = 256;

  private final Channel channel;
  private final UniqueCheck unique;
  private final IndexWriter indexWriter;
  private final LeavesAhead leaves = new LeavesAhead(LEAVES_MAX);
  private final AheadCursors cursors = new AheadCursors(leaves);
  private final KeyBuffer key = new KeyBuffer();
  private final KeyBuffer end = new KeyBuffer();

  /** LOTUS keys of the values of these rows: two that are equal may be one value. */
  private long[] values = new long[16];

  private int count;

  FreeValues(Channel channel, UniqueCheck unique, IndexWriter indexWriter) {
    this.channel = channel;
    this.unique = unique;
    this.indexWriter = indexWriter;
  }

  /**
   * Locks the unique values of rows, and notes whose are free ({@link NewRows#setFree}): OK,
   * CONFLICT or CANCELLED, or EXHAUSTED if an entry of the transaction's own with such a value
   * could not be added.
   */
  int claim(NewRows rows, int from, int to) {
    int status = lock(rows, from, to);
    if (status == Transaction.OK) {
      int mark = channel.mark();
      postLeaves(rows, from, to);
      if (leaves.isPosted()) {
        channel.flush();
        leaves.accept(channel);
      }
      look(rows, from, to);
      leaves.truncate(0);
      channel.release(mark);
    }
    return status;
  }

  /** Locks all values. No leaf is read before: it may be that of several of them. */
  private int lock(NewRows rows, int from, int to) {
    count = 0;
    int status = Transaction.OK;
    for (int i = from; i < to && status == Transaction.OK; i++) {
      rows.setFree(i, true);
      for (IndexStore index : rows.table(i).indexes()) {
        if (status == Transaction.OK && buildKey(index, rows, i)) {
          if (isRepeated(UniqueCheck.valueKey(index, key))) {
            rows.setFree(i, false);
          }
          status = claim(index, rows.image(i));
        }
      }
    }
    return status;
  }

  private int claim(IndexStore index, RowBuffer image) {
    int status = unique.lockValue(index, key, image);
    return status == Transaction.OK ? indexWriter.settleValue(index, key, image) : status;
  }

  private void postLeaves(NewRows rows, int from, int to) {
    for (int i = from; i < to; i++) {
      for (IndexStore index : rows.table(i).indexes()) {
        if (rows.isFree(i) && buildKey(index, rows, i)) {
          rows.setFree(i, leaves.post(channel, index.tree(), leafOf(index)));
        }
      }
    }
  }

  /**
   * Whether the index is unique and the row has no NULL in it; then {@link #key} is its entry's.
   */
  private boolean buildKey(IndexStore index, NewRows rows, int i) {
    if (!index.schema().unique()
        || index.encoder().hasNull(rows.image(i).bytes, rows.image(i).offset)) {
      return false;
    }
    index.encoder().build(rows.image(i), key);
    return true;
  }

  /** Whether an earlier row of these may have the value; else it is noted. */
  private boolean isRepeated(long value) {
    for (int i = 0; i < count; i++) {
      if (values[i] == value) {
        return true;
      }
    }
    if (count == values.length) {
      values = Arrays.copyOf(values, count * 2);
    }
    values[count++] = value;
    return false;
  }

  private long leafOf(IndexStore index) {
    int prefix = index.encoder().prefixLength(key.bytes, 0);
    return cursors.of(index).firstLeaf(channel, key.bytes, prefix, true);
  }

  private void look(NewRows rows, int from, int to) {
    for (int i = from; i < to; i++) {
      for (IndexStore index : rows.table(i).indexes()) {
        if (rows.isFree(i) && buildKey(index, rows, i)) {
          rows.setFree(i, hasNoEntry(index));
        }
      }
    }
  }

  /** Whether the leaf that was read shows that the value has no entry. */
  private boolean hasNoEntry(IndexStore index) {
    int prefix = index.encoder().prefixLength(key.bytes, 0);
    LeafCursor cursor = cursors.of(index);
    if (!cursor.seekAhead(leafOf(index), key.bytes, prefix, true)) {
      return false;
    }
    if (cursor.count() > 0) {
      return !UniqueCheck.hasPrefix(cursor, 0, key, prefix);
    }
    end.clear();
    end.append(key.bytes, 0, prefix);
    KeyEncoder.toPrefixSuccessor(end);
    return cursor.reaches(end.bytes, end.length, false);
  }
}
