package org.nelumbo.executor.op.spill;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;

/**
 * Files of rows, partitioned by a hash of their keys: rows with equal keys are in one file. Not
 * thread-safe.
 */
public final class RowPartitions implements AutoCloseable {
  /** Number of partitions, a power of two. */
  public static final int COUNT = 16;

  /** Maximum number of times that rows are partitioned, because a partition is still too large. */
  public static final int MOST_LEVELS = 6;

  private final FrameFields fields;
  private final Frame frame;
  private final int level;
  private final RowFile[] files = new RowFile[COUNT];

  /**
   * Creates empty partitions.
   *
   * @param level number of times that the rows have been partitioned before
   */
  public RowPartitions(FrameFields fields, Frame frame, int level) {
    this.fields = fields;
    this.frame = frame;
    this.level = level;
  }

  /** Writes the frame's current row to the file of its key. */
  public void write(byte[] key, int offset, int length) {
    int part = BytesHashTable.part(key, offset, length, level, COUNT);
    if (files[part] == null) {
      files[part] = new RowFile(fields, frame);
    }
    files[part].write(frame);
  }

  /** Ends writing; the files can then be taken and read. */
  void rewind() {
    for (RowFile file : files) {
      if (file != null) {
        file.rewind();
      }
    }
  }

  /**
   * Takes a file out, after {@link #rewind}; returns null if it has no rows. The caller closes the
   * file.
   */
  public RowFile take(int part) {
    RowFile file = files[part];
    files[part] = null;
    return file;
  }

  @Override
  public void close() {
    for (int i = 0; i < COUNT; i++) {
      if (files[i] != null) {
        files[i].close();
        files[i] = null;
      }
    }
  }
}
