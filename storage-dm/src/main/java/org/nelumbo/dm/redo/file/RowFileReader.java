package org.nelumbo.dm.redo.file;

import java.io.IOException;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.disk.DiskFile;
import org.nelumbo.dm.redo.DamagedFilesException;
import org.nelumbo.dm.redo.RedoLayout;

/** Reads a file of rows sequentially, row by row. One thread at a time. */
public final class RowFileReader implements AutoCloseable {
  private final Disk disk;
  private final String name;
  private final DiskFile file;
  private final FrameReader frames;
  private long rows;
  private int next;
  private boolean isOver;

  // The current row.
  private int store;
  private int offset;
  private int keyLength;
  private int imageLength;
  private boolean isDeleted;

  /** Opens a file whose header has been read. */
  public RowFileReader(Disk disk, String name) throws IOException {
    this.disk = disk;
    this.name = name;
    this.file = disk.open(name);
    this.frames = new FrameReader(new FileSource(file, name, 0), 0);
  }

  /**
   * Advances to the next row.
   *
   * @return false if there is none, and the file is complete
   * @throws DamagedFilesException if the file ends before it is complete
   */
  public boolean next() throws IOException {
    while (!isOver && next >= frames.length()) {
      nextFrame();
    }
    if (isOver) {
      return false;
    }
    byte[] bytes = frames.bytes();
    if (next + RedoLayout.ROW_HEADER > frames.length()) {
      throw damaged();
    }
    store = RedoLayout.getInt(bytes, next);
    keyLength = RedoLayout.getShort(bytes, next + 4);
    isDeleted = RedoLayout.getShort(bytes, next + 6) != 0;
    imageLength = RedoLayout.getInt(bytes, next + 8);
    offset = next + RedoLayout.ROW_HEADER;
    if (imageLength < keyLength || imageLength > frames.length() - offset) {
      throw damaged();
    }
    next = offset + imageLength;
    rows++;
    return true;
  }

  private void nextFrame() throws IOException {
    if (!frames.next()) {
      throw damaged();
    }
    next = RedoLayout.HEADER;
    switch (frames.kind()) {
      case RedoLayout.ROWS, RedoLayout.UNORDERED_ROWS -> {}
      case RedoLayout.COMPLETE -> {
        isOver = true;
        if (frames.transaction() != rows) {
          throw damaged();
        }
      }
      default -> throw damaged();
    }
  }

  private DamagedFilesException damaged() {
    return new DamagedFilesException(
        "a file of rows is damaged: keep a copy of it; directory="
            + disk.location()
            + " file="
            + name
            + " offset="
            + (RedoLayout.BLOCK + frames.position()));
  }

  /** Returns true if the row is among the rows ordered by store and key. */
  public boolean isOrdered() {
    return frames.kind() == RedoLayout.ROWS;
  }

  /** Returns true if the row is among the unordered rows. */
  public boolean isUnordered() {
    return !isOver && frames.kind() == RedoLayout.UNORDERED_ROWS;
  }

  public int store() {
    return store;
  }

  /** Returns an array that contains the row and is not modified later. */
  public byte[] bytes() {
    return frames.bytes();
  }

  public int offset() {
    return offset;
  }

  public int keyLength() {
    return keyLength;
  }

  public int imageLength() {
    return imageLength;
  }

  public boolean isDeleted() {
    return isDeleted;
  }

  public void show(RowVisitor visitor) {
    visitor.row(store, bytes(), offset, keyLength, imageLength, isDeleted);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
