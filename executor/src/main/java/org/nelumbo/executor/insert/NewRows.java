package org.nelumbo.executor.insert;

import java.util.Arrays;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;

/**
 * Rows that are inserted together, of one table or several, and where their CVTs are. Keys and
 * images are copied. Reusable; not thread-safe.
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
    // The last one, since its length decides whether they have grown.
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

  /** Size class of the block for the row's CVT and first record. */
  int blockClass(int i) {
    return tables[i].blockClass(images[i].length);
  }

  public long lotusKey(int i) {
    return lotusKeys[i];
  }

  /** Address of the row's new CVT; NULL if it has none, or not yet. */
  public long cvt(int i) {
    return cvts[i];
  }

  void setCvt(int i, long cvt) {
    cvts[i] = cvt;
  }

  /** Whether its unique values are locked, and nobody has them. */
  public boolean isFree(int i) {
    return free[i];
  }

  public void setFree(int i, boolean isFree) {
    free[i] = isFree;
  }

  public boolean isPlaced(int i) {
    return cvts[i] != PoolAddress.NULL;
  }

  /**
   * Whether an earlier row, from {@code from} on, has the same LOTUS key, and so perhaps the key.
   */
  boolean isRepeated(int i, int from) {
    for (int earlier = from; earlier < i; earlier++) {
      if (lotusKeys[earlier] == lotusKeys[i]) {
        return true;
      }
    }
    return false;
  }

  /** Where the rows end that follow row {@code from} in the same table. */
  int endOfTable(int from, int to) {
    int end = from + 1;
    while (end < to && tables[end] == tables[from]) {
      end++;
    }
    return end;
  }
}
