package org.nelumbo.dm.redo.backup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.redo.file.RowFileReader;
import org.nelumbo.dm.redo.file.RowVisitor;

/**
 * The ordered rows of a full backup and of those that build upon it, as of the last one: ordered by
 * store and key, each once. One thread at a time.
 */
final class MergedRows implements AutoCloseable {
  private final List<RowFileReader> readers = new ArrayList<>();

  /**
   * True for readers without further ordered rows; true for readers whose current row was passed.
   */
  private final boolean[] isOver;

  private final boolean[] isShown;
  private RowFileReader row;

  /**
   * Starts before the first row.
   *
   * @param names file names, each of which builds upon the previous one
   */
  MergedRows(Disk disk, List<String> names) throws IOException {
    isOver = new boolean[names.size()];
    isShown = new boolean[names.size()];
    Arrays.fill(isShown, true);
    boolean isOpen = false;
    try {
      for (String name : names) {
        readers.add(new RowFileReader(disk, name));
      }
      isOpen = true;
    } finally {
      if (!isOpen) {
        close();
      }
    }
  }

  /** Advances to the next row; returns false if there is none. */
  boolean next() throws IOException {
    do {
      row = null;
      for (int i = 0; i < isOver.length; i++) {
        if (isShown[i] && !isOver[i]) {
          RowFileReader reader = readers.get(i);
          isOver[i] = !reader.next() || !reader.isOrdered();
        }
        isShown[i] = false;
        if (!isOver[i] && (row == null || compare(readers.get(i), row) <= 0)) {
          row = readers.get(i);
        }
      }
      for (int i = 0; i < isOver.length; i++) {
        isShown[i] = !isOver[i] && compare(readers.get(i), row) == 0;
      }
    } while (row != null && row.isDeleted());
    return row != null;
  }

  /** Returns the current row, which is valid until the next call of {@link #next}. */
  RowFileReader row() {
    return row;
  }

  /**
   * Passes the unordered rows of the last file, after all ordered ones. The unordered rows of the
   * other files are of earlier states.
   */
  void showUnordered(RowVisitor visitor) throws IOException {
    RowFileReader last = readers.getLast();
    for (boolean more = last.isUnordered(); more; more = last.next()) {
      last.show(visitor);
    }
  }

  private static int compare(RowFileReader a, RowFileReader b) {
    return a == b
        ? 0
        : compare(
            a.store(),
            a.bytes(),
            a.offset(),
            a.keyLength(),
            b.store(),
            b.bytes(),
            b.offset(),
            b.keyLength());
  }

  /** Compares two rows by store and key; negative if the first one is smaller. */
  static int compare(
      int storeA,
      byte[] bytesA,
      int offsetA,
      int keyLengthA,
      int storeB,
      byte[] bytesB,
      int offsetB,
      int keyLengthB) {
    int byStore = Integer.compare(storeA, storeB);
    return byStore != 0
        ? byStore
        : Arrays.compareUnsigned(
            bytesA, offsetA, offsetA + keyLengthA, bytesB, offsetB, offsetB + keyLengthB);
  }

  @Override
  public void close() throws IOException {
    for (RowFileReader reader : readers) {
      reader.close();
    }
  }
}
