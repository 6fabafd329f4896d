package org.nelumbo.executor.index;

import java.util.Arrays;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.LotusKeys;
import org.nelumbo.executor.table.IndexStore;

/** Values of unique indexes: the parts of entry keys before the primary key. */
final class UniqueValues {
  private UniqueValues() {}

  /** Lock key of the value of an entry key, as a LOTUS key: two values may share it. */
  static long lockKey(IndexStore index, KeyBuffer entryKey) {
    int prefix = index.encoder().prefixLength(entryKey.bytes, 0);
    return LotusKeys.hash(index.root(), entryKey.bytes, 0, prefix);
  }

  /** Whether entry {@code i} that a cursor shows begins with the value of an entry key. */
  static boolean hasPrefix(LeafCursor cursor, int i, KeyBuffer entryKey, int prefix) {
    int from = cursor.keyOffset(i);
    return cursor.keyLength(i) >= prefix
        && Arrays.equals(cursor.keyBytes(), from, from + prefix, entryKey.bytes, 0, prefix);
  }
}
