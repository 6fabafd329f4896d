package org.nelumbo.dm.redo.backup;

import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import org.nelumbo.dm.redo.file.RowFileReader;
import org.nelumbo.dm.redo.file.RowFileWriter;

/**
 * Writes a backup. It receives all rows. If the backup builds upon others, it writes only new and
 * changed rows, and deletions of missing ones. One thread at a time.
 */
public final class BackupWriter implements AutoCloseable {
  private final BackupFiles files;
  private final RowFileWriter writer;
  private final Set<Integer> stores;

  /** Null for a full backup. */
  private final MergedRows base;

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

  /** Adds a row, which must follow the previous one by store and key. */
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

  /** Writes the deletion of a row of the base, unless its whole store is gone. */
  private void passBase() throws IOException {
    RowFileReader row = base.row();
    if (stores.contains(row.store())) {
      writer.add(row.store(), row.bytes(), row.offset(), row.keyLength(), row.keyLength(), true);
    }
    hasBase = base.next();
  }

  /** Adds an unordered row. From now on all rows are unordered, and each is written. */
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

  /** Finishes the backup, after all rows were added, and makes it valid. */
  public Backup finish() throws IOException {
    endOrdered();
    files.finish(writer);
    return files.newest();
  }

  /** Closes the files; removes an unfinished backup. */
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
