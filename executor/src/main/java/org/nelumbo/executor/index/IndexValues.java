package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.row.LotusKeys;
import org.nelumbo.executor.table.IndexStore;

/**
 * Computes the lock keys of values of secondary indexes. A value is the part of an entry's key
 * before the primary key. Each value has a lock:
 *
 * <ul>
 *   <li>A transaction that gives a unique value to a row, or takes it away, holds the lock in mode
 *       WRITE until it ends.
 *   <li>A transaction that adds any other entry holds the lock in mode INSERT meanwhile.
 *   <li>A scan of all rows with one value holds the lock in mode READ and needs no leaf lock: no
 *       entry with this value can be added, while entries with other values can be added to the
 *       same leaves.
 * </ul>
 */
public final class IndexValues {
  /** Returned in place of a lock key if a range is not the range of one value. */
  public static final long NONE = 0;

  private IndexValues() {}

  /**
   * Returns the lock key of the value of an entry's key. It is computed like a LOTUS key; two
   * values may share it.
   */
  static long lockKey(IndexStore index, KeyBuffer entryKey) {
    int prefix = index.encoder().prefixLength(entryKey);
    return lockKey(index, entryKey, prefix);
  }

  private static long lockKey(IndexStore index, KeyBuffer value, int length) {
    return LotusKeys.hash(index.root(), value.bytes, 0, length);
  }

  /**
   * Returns the lock key of the value whose entries are exactly those in the range {@code low <=
   * key < high}, or {@link #NONE} if there is no such value, as in a primary index.
   */
  public static long lockKey(IndexStore index, KeyBuffer low, KeyBuffer high) {
    boolean isOne =
        !index.isPrimary()
            && KeyEncoder.isPrefixSuccessor(low, high)
            && index.encoder().isComplete(low);
    return isOne ? lockKey(index, low, low.length) : NONE;
  }

  /** Returns true if entry {@code i} of a cursor begins with the value of an entry's key. */
  static boolean hasPrefix(LeafCursor cursor, int i, KeyBuffer entryKey, int prefix) {
    int from = cursor.keyOffset(i);
    return cursor.keyLength(i) >= prefix
        && Arrays.equals(cursor.keyBytes(), from, from + prefix, entryKey.bytes, 0, prefix);
  }
}
