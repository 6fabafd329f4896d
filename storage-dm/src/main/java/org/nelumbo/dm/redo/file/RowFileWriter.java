package org.nelumbo.dm.redo.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.redo.FileHeader;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.RedoLayout;

/**
 * Writes a file of rows, a checkpoint or a backup. It is valid when it is complete. One thread at a
 * time.
 */
public final class RowFileWriter implements AutoCloseable {
  private static final int GROUP_BYTES = 256 << 10;

  private final DiskFile file;
  private final FileHeader header;
  private final RedoEntry entry = new RedoEntry();
  private int kind = RedoLayout.ROWS;
  private long bytes;
  private long rows;

  public RowFileWriter(DiskFile file, FileHeader header) {
    this.file = file;
    this.header = header;
    entry.begin();
  }

  /** Adds an existing row. */
  public void add(int store, byte[] source, int offset, int keyLength, int imageLength)
      throws IOException {
    add(store, source, offset, keyLength, imageLength, false);
  }

  /** Adds an existing or a deleted row, as {@link RedoEntry#add}. */
  public void add(
      int store, byte[] source, int offset, int keyLength, int imageLength, boolean isDeleted)
      throws IOException {
    entry.add(store, source, offset, keyLength, imageLength, isDeleted);
    rows++;
    if (entry.paddedLength() >= GROUP_BYTES) {
      write(kind, 0);
    }
  }

  /** Starts the unordered rows of a backup. */
  public void beginUnordered() throws IOException {
    write(kind, 0);
    kind = RedoLayout.UNORDERED_ROWS;
  }

  private void write(int frameKind, long number) throws IOException {
    entry.setTransaction(number);
    entry.seal(frameKind);
    entry.setPosition(bytes);
    entry.place(0, 0, 0);
    file.write(ByteBuffer.wrap(entry.bytes(), 0, entry.paddedLength()), RedoLayout.BLOCK + bytes);
    bytes += entry.paddedLength();
    entry.clearRows();
  }

  /** Completes the file after all rows were added, and forces it. */
  public void complete() throws IOException {
    write(kind, 0);
    write(RedoLayout.COMPLETE, rows);
    file.force();
  }

  public FileHeader header() {
    return header;
  }

  public long rows() {
    return rows;
  }

  /** Returns the current size of the file in bytes. */
  public long bytes() {
    return RedoLayout.BLOCK + bytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
