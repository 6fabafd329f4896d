package org.nelumbo.executor.op.join;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.spill.RowFile;

/**
 * The right side of a join without keys in a temporary file, which is read anew for each left row;
 * and which of its rows have met a left row. Not thread-safe.
 */
final class RereadRows implements AutoCloseable {
  private final RowFile file;

  /** A bit for each row; empty if nobody asks. */
  private long[] matches = new long[0];

  /** The number of the row that was read last. */
  private long position;

  /** No rows yet. */
  RereadRows(FrameFields fields, Frame frame) {
    file = new RowFile(fields, frame);
  }

  /** Writes the row that the frame shows. */
  void write(Frame frame) {
    file.write(frame);
  }

  /** All rows have been written; nobody asks which have met a left row. */
  void startReading() {
    file.rewind();
  }

  /** All rows have been written; reserves what it takes to know which have met a left row. */
  void startReading(MemoryAccount account) {
    file.rewind();
    long words = (file.rows() + Long.SIZE - 1) / Long.SIZE;
    account.resize(words * Long.BYTES);
    matches = new long[Math.toIntExact(words)];
  }

  /** Goes back to the first row. */
  void restart() {
    file.restart();
    position = -1;
  }

  /** Makes the frame show the next row; false after the last. */
  boolean next(Frame frame) {
    if (!file.next()) {
      return false;
    }
    file.show(frame);
    position++;
    return true;
  }

  /** Notes that the row which was read last has met a left row. */
  void noteMatch() {
    if (matches.length > 0) {
      matches[(int) (position / Long.SIZE)] |= 1L << position;
    }
  }

  /** Whether the row which was read last has met a left row. */
  boolean isMatched() {
    return (matches[(int) (position / Long.SIZE)] & 1L << position) != 0;
  }

  @Override
  public void close() {
    file.close();
  }
}
