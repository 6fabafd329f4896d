package org.nelumbo.executor.op.join;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.spill.RowFile;

/**
 * The right side of a join without keys, in a temporary file that is read again for each left row,
 * with a record of the rows that have matched a left row. Not thread-safe.
 */
final class RereadRows implements AutoCloseable {
  private final RowFile file;

  /** A bit for each row; empty if matches are not recorded. */
  private long[] matches = new long[0];

  private long position;

  /** Creates an empty file. */
  RereadRows(FrameFields fields, Frame frame) {
    file = new RowFile(fields, frame);
  }

  /** Writes the frame's current row. */
  void write(Frame frame) {
    file.write(frame);
  }

  /** Ends writing, without a record of matches. */
  void startReading() {
    file.rewind();
  }

  /** Ends writing, and reserves memory for the record of matches. */
  void startReading(MemoryAccount account) {
    file.rewind();
    long words = (file.rows() + Long.SIZE - 1) / Long.SIZE;
    account.resize(words * Long.BYTES);
    matches = new long[Math.toIntExact(words)];
  }

  /** Returns to the first row. */
  void restart() {
    file.restart();
    position = -1;
  }

  /** Shows the next row in the frame; returns false after the last. */
  boolean next(Frame frame) {
    if (!file.next()) {
      return false;
    }
    file.show(frame);
    position++;
    return true;
  }

  /** Records a match of the row that was read last. */
  void noteMatch() {
    if (matches.length > 0) {
      matches[(int) (position / Long.SIZE)] |= 1L << position;
    }
  }

  /** Returns true if the row that was read last has matched a left row. */
  boolean isMatched() {
    return (matches[(int) (position / Long.SIZE)] & 1L << position) != 0;
  }

  @Override
  public void close() {
    file.close();
  }
}
