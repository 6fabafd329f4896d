package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyEncoder;
import org.nelumbo.executor.row.LotusKeys;
import org.nelumbo.executor.table.IndexStore;

/**
 * Values of secondary indexes: the parts of entry keys before the primary key. A value has a lock.
 * Whoever gives a row a unique value, or takes it away, holds it for writing until the transaction
 * ends. Whoever adds any other entry holds it in mode INSERT meanwhile. So a scan of all rows with
 * one value that holds it in mode READ needs no lock of a leaf: no entry comes to that value, and
 * those who add entries to others beside it are not in its way.
 */
public final class IndexValues {
  /** In place of a lock key: the range is not that of one value. */
  public static final long NONE = 0;

  private IndexValues() {}

  /** Lock key of the value of an entry key, as a LOTUS key: two values may share it. */
  static long lockKey(IndexStore index, KeyBuffer entryKey) {
    int prefix = index.encoder().prefixLength(entryKey);
    return lockKey(index, entryKey, prefix);
  }

  private static long lockKey(IndexStore index, KeyBuffer value, int length) {
    return LotusKeys.hash(index.root(), value.bytes, 0, length);
  }

  /**
   * Lock key of the value whose entries, and no others, are in a range {@code low <= key < high}.
   * {@link #NONE} if there is no such value, as in a primary index.
   */
  public static long lockKey(IndexStore index, KeyBuffer low, KeyBuffer high) {
    boolean isOne =
        !index.isPrimary()
            && KeyEncoder.isPrefixSuccessor(low, high)
            && index.encoder().isComplete(low);
    return isOne ? lockKey(index, low, low.length) : NONE;
  }

  /** Whether entry {@code i} that a cursor shows begins with the value of an entry key. */
  static boolean hasPrefix(LeafCursor cursor, int i, KeyBuffer entryKey, int prefix) {
    int from = cursor.keyOffset(i);
    return cursor.keyLength(i) >= prefix
        && Arrays.equals(cursor.keyBytes(), from, from + prefix, entryKey.bytes, 0, prefix);
  }
}
