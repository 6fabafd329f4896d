package org.nelumbo.dm.redo;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.nelumbo.dm.disk.DiskFile;

/**
 * Writes a checkpoint: rows as they were at some moment each, all of them after the position from
 * which the log is to be replayed on top. One thread at a time.
 */
public final class CheckpointWriter implements AutoCloseable {
  /** Rows are written when there are so many bytes of them. */
  private static final int GROUP_BYTES = 256 << 10;

  private final DiskFile file;
  private final FileHeader header;
  private final RedoEntry entry = new RedoEntry();
  private long bytes;
  private long rows;

  CheckpointWriter(DiskFile file, FileHeader header) {
    this.file = file;
    this.header = header;
    entry.begin();
  }

  /** Adds a row that is there. */
  public void add(int store, byte[] source, int offset, int keyLength, int imageLength)
      throws IOException {
    entry.add(store, source, offset, keyLength, imageLength, false);
    rows++;
    if (entry.paddedLength() >= GROUP_BYTES) {
      write(RedoLayout.ROWS, 0);
    }
  }

  private void write(int kind, long number) throws IOException {
    entry.setTransaction(number);
    entry.seal(kind);
    entry.place(0, bytes, 0, 0);
    file.write(ByteBuffer.wrap(entry.bytes(), 0, entry.paddedLength()), RedoLayout.BLOCK + bytes);
    bytes += entry.paddedLength();
    entry.clearRows();
  }

  /** All rows are there: forces the file. */
  void complete() throws IOException {
    write(RedoLayout.ROWS, 0);
    write(RedoLayout.COMPLETE, rows);
    file.force();
  }

  FileHeader header() {
    return header;
  }

  public long rows() {
    return rows;
  }

  /** Bytes of the file so far. */
  public long bytes() {
    return RedoLayout.BLOCK + bytes;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
