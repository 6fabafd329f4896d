package org.nelumbo.executor.op.spill;

import java.util.ArrayDeque;
import java.util.Deque;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.row.KeyBuffer;

/**
 * The rows that an operator spills because there is no memory for their keys. The operator reads
 * the rest of its input, then one partition of the spilled rows after the other. A partition that
 * does not fit either is spilled again, in smaller partitions. Rows with equal keys are in one
 * partition. Not thread-safe.
 */
public final class SpilledRows implements AutoCloseable {
  private final FrameFields fields;
  private final Frame frame;
  private final String owner;
  private final Deque<Part> parts = new ArrayDeque<>();

  private RowPartitions writing;

  private Part reading;

  private record Part(RowFile file, int level) {}

  /**
   * Creates an empty set of rows.
   *
   * @param owner operation that spills the rows, for messages
   */
  public SpilledRows(FrameFields fields, Frame frame, String owner) {
    this.fields = fields;
    this.frame = frame;
    this.owner = owner;
  }

  /**
   * Returns true if rows of the current input or partition have been spilled: there is no memory
   * for new keys.
   */
  public boolean isWriting() {
    return writing != null;
  }

  /** Returns true while a partition is being read, not the operator's input. */
  public boolean isReading() {
    return reading != null;
  }

  /** Spills the frame's current row. Fails with 53200 if its partition has been split too often. */
  public void write(KeyBuffer key) {
    if (writing == null) {
      int level = reading == null ? 0 : reading.level + 1;
      if (level == RowPartitions.MOST_LEVELS) {
        throw new NelumboException(
            ErrorCode.OUT_OF_MEMORY,
            owner + " has no memory for its keys; raise maxStatementMemory");
      }
      writing = new RowPartitions(fields, frame, level);
    }
    writing.write(key.bytes, 0, key.length);
  }

  /**
   * Moves to the next partition after the end of the current input; returns false if there is none.
   */
  public boolean nextPart() {
    int level = reading == null ? 0 : reading.level + 1;
    endPart();
    if (writing != null) {
      writing.rewind();
      for (int i = 0; i < RowPartitions.COUNT; i++) {
        RowFile file = writing.take(i);
        if (file != null) {
          parts.push(new Part(file, level));
        }
      }
      writing = null;
    }
    reading = parts.poll();
    return reading != null;
  }

  /** Shows the next row of the partition in the frame; returns false after the last. */
  public boolean next() {
    if (!reading.file.next()) {
      return false;
    }
    reading.file.show(frame);
    return true;
  }

  private void endPart() {
    if (reading != null) {
      reading.file.close();
      reading = null;
    }
  }

  @Override
  public void close() {
    endPart();
    parts.forEach(part -> part.file.close());
    parts.clear();
    if (writing != null) {
      writing.close();
      writing = null;
    }
  }
}
