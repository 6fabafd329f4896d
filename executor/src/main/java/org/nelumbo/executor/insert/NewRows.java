package org.nelumbo.executor.insert;

import java.util.Arrays;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;

/**
 * Rows of one or several tables that are inserted together, with the addresses of their CVTs. Keys
 * and images are copied. Reusable; not thread-safe.
 */
public final class NewRows {
  private TableStore[] tables = new TableStore[4];
  private KeyBuffer[] keys = new KeyBuffer[4];
  private RowBuffer[] images = new RowBuffer[4];
  private long[] lotusKeys = new long[4];
  private long[] cvts = new long[4];
  private boolean[] free = new boolean[4];
  private int size;

  public void clear() {
    size = 0;
  }

  public int size() {
    return size;
  }

  public void add(TableStore table, KeyBuffer key, RowBuffer image) {
    if (size == keys.length) {
      grow();
    }
    if (keys[size] == null) {
      keys[size] = new KeyBuffer();
      images[size] = new RowBuffer();
    }
    tables[size] = table;
    keys[size].copyFrom(key);
    lotusKeys[size] = key.lotusKey;
    cvts[size] = PoolAddress.NULL;
    free[size] = false;
    images[size++].copy(image.bytes, image.offset, image.length);
  }

  private void grow() {
    int capacity = size * 4;
    tables = Arrays.copyOf(tables, capacity);
    images = Arrays.copyOf(images, capacity);
    lotusKeys = Arrays.copyOf(lotusKeys, capacity);
    cvts = Arrays.copyOf(cvts, capacity);
    free = Arrays.copyOf(free, capacity);
    // The last one, since its length decides whether the arrays have to grow.
    keys = Arrays.copyOf(keys, capacity);
  }

  public TableStore table(int i) {
    return tables[i];
  }

  public KeyBuffer key(int i) {
    return keys[i];
  }

  public RowBuffer image(int i) {
    return images[i];
  }

  /** Returns the size class of the block for the row's CVT and first record. */
  int blockClass(int i) {
    return tables[i].blockClass(images[i].length);
  }

  public long lotusKey(int i) {
    return lotusKeys[i];
  }

  /** Returns the address of the row's new CVT; NULL if it has none (yet). */
  public long cvt(int i) {
    return cvts[i];
  }

  void setCvt(int i, long cvt) {
    cvts[i] = cvt;
  }

  /** Returns true if the row's unique values are locked and no other row has them. */
  public boolean isFree(int i) {
    return free[i];
  }

  /** Records whether the row's unique values are locked and no other row has them. */
  public void setFree(int i, boolean isFree) {
    free[i] = isFree;
  }

  /** Returns true if the row has a CVT. */
  public boolean isPlaced(int i) {
    return cvts[i] != PoolAddress.NULL;
  }

  /**
   * Returns true if an earlier row at or after {@code from} has the same LOTUS key, and therefore
   * possibly the same key.
   */
  boolean isRepeated(int i, int from) {
    for (int earlier = from; earlier < i; earlier++) {
      if (lotusKeys[earlier] == lotusKeys[i]) {
        return true;
      }
    }
    return false;
  }

  /** Returns the end of the rows of one table that starts with row {@code from}. */
  int endOfTable(int from, int to) {
    int end = from + 1;
    while (end < to && tables[end] == tables[from]) {
      end++;
    }
    return end;
  }
}
