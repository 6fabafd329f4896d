package org.nelumbo.executor.op.spill;

import java.util.ArrayDeque;
import java.util.Deque;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.row.KeyBuffer;

/**
 * The rows that an operator sets aside because there is no memory for their keys: it reads the rest
 * of its input, then part after part of what it has set aside. A part that does not fit either is
 * set aside anew, in smaller parts. Rows with equal keys are in one part. Not thread-safe.
 */
public final class SpilledRows implements AutoCloseable {
  private final FrameFields fields;
  private final Frame frame;
  private final String owner;
  private final Deque<Part> parts = new ArrayDeque<>();

  /** Where rows are set aside to; null while none are. */
  private RowPartitions writing;

  /** The part that is being read; null while the operator reads its input. */
  private Part reading;

  private record Part(RowFile file, int level) {}

  /**
   * No rows set aside yet.
   *
   * @param owner what sets them aside, for messages
   */
  public SpilledRows(FrameFields fields, Frame frame, String owner) {
    this.fields = fields;
    this.frame = frame;
    this.owner = owner;
  }

  /** Whether rows have been set aside from what is being read: there is no memory for new keys. */
  public boolean isWriting() {
    return writing != null;
  }

  /** Whether a part is being read, not the operator's input. */
  public boolean isReading() {
    return reading != null;
  }

  /** Sets the row aside that the frame shows. */
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

  /** What was read has ended: goes on to the next part; false if there is none. */
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

  /** Makes the frame show the next row of the part; false after the last. */
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
