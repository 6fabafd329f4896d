package org.nelumbo.dm.redo.backup;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.nelumbo.dm.redo.file.RowFileReader;
import org.nelumbo.dm.redo.file.RowFileWriter;

/**
 * Writes a backup. It is given all rows; if it builds upon others, it writes those that are not
 * there as they are, and which are there no longer. One thread at a time.
 */
public final class BackupWriter implements AutoCloseable {
  private final BackupFiles files;
  private final RowFileWriter writer;
  private final Set<Integer> stores;

  /** Null if it builds upon nothing. */
  private final MergedRows base;

  /** Whether there is a row of the base that has not been met yet. */
  private boolean hasBase;

  private boolean isOrdered = true;

  BackupWriter(BackupFiles files, RowFileWriter writer, MergedRows base, Set<Integer> stores)
      throws IOException {
    this.files = files;
    this.writer = writer;
    this.base = base;
    this.stores = stores;
    this.hasBase = base != null && base.next();
  }

  /** Adds a row; it comes behind the one before, by store and key. */
  public void add(int store, byte[] bytes, int offset, int keyLength, int imageLength)
      throws IOException {
    int order = -1;
    while (hasBase && (order = compareBase(store, bytes, offset, keyLength)) < 0) {
      passBase();
    }
    boolean isThere = hasBase && order == 0;
    boolean isSame = isThere && isAsBefore(bytes, offset, imageLength);
    if (isThere) {
      hasBase = base.next();
    }
    if (!isSame) {
      writer.add(store, bytes, offset, keyLength, imageLength);
    }
  }

  private int compareBase(int store, byte[] bytes, int offset, int keyLength) {
    RowFileReader row = base.row();
    return MergedRows.compare(
        row.store(), row.bytes(), row.offset(), row.keyLength(), store, bytes, offset, keyLength);
  }

  private boolean isAsBefore(byte[] bytes, int offset, int imageLength) {
    RowFileReader row = base.row();
    return Arrays.equals(
        row.bytes(),
        row.offset(),
        row.offset() + row.imageLength(),
        bytes,
        offset,
        offset + imageLength);
  }

  /** A row of the base is there no longer; those of stores that are not, either, go unsaid. */
  private void passBase() throws IOException {
    RowFileReader row = base.row();
    if (stores.contains(row.store())) {
      writer.add(row.store(), row.bytes(), row.offset(), row.keyLength(), row.keyLength(), true);
    }
    hasBase = base.next();
  }

  /** From now on rows come in no order, and are all written. */
  public void addUnordered(int store, byte[] bytes, int offset, int keyLength, int imageLength)
      throws IOException {
    endOrdered();
    writer.add(store, bytes, offset, keyLength, imageLength);
  }

  private void endOrdered() throws IOException {
    if (isOrdered) {
      isOrdered = false;
      while (hasBase) {
        passBase();
      }
      writer.beginUnordered();
    }
  }

  /** All rows are there: has the backup count. */
  public Backup finish() throws IOException {
    endOrdered();
    files.finish(writer);
    return files.newest();
  }

  /** Ends it; if it is not finished nothing is left of it. */
  @Override
  public void close() throws IOException {
    try {
      if (base != null) {
        base.close();
      }
    } finally {
      writer.close();
      files.discard();
    }
  }
}
