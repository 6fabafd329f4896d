package org.nelumbo.executor.op.spill;

import java.util.ArrayDeque;
import java.util.Deque;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.row.KeyBuffer;

/**
 * Rows of two inputs that are compared by their keys, in pairs of temporary files: rows with equal
 * keys are in the two files of one pair. A pair that does not fit into memory is partitioned again.
 * Not thread-safe.
 */
public final class PairedPartitions implements AutoCloseable {
  private final FrameFields leftFields;
  private final FrameFields rightFields;
  private final Frame frame;
  private final Deque<Part> waiting = new ArrayDeque<>();

  private RowPartitions leftWriting;

  private RowPartitions rightWriting;
  private int writingLevel;
  private Part current;

  private record Part(RowFile left, RowFile right, int level) {
    void close() {
      if (left != null) {
        left.close();
      }
      if (right != null) {
        right.close();
      }
    }
  }

  /** Creates empty partitions of two inputs that show these fields. */
  public PairedPartitions(FrameFields leftFields, FrameFields rightFields, Frame frame) {
    this.leftFields = leftFields;
    this.rightFields = rightFields;
    this.frame = frame;
  }

  /**
   * Begins to partition rows.
   *
   * @param level number of times that the rows have been partitioned before
   */
  public void startWriting(int level) {
    leftWriting = new RowPartitions(leftFields, frame, level);
    rightWriting = new RowPartitions(rightFields, frame, level);
    writingLevel = level;
  }

  /** Returns true while rows are being partitioned. */
  public boolean isWriting() {
    return rightWriting != null;
  }

  /** Writes the frame's left row to the file of its key. */
  public void writeLeft(KeyBuffer key) {
    leftWriting.write(key.bytes, 0, key.length);
  }

  /** Writes the frame's right row to the file of its key. */
  public void writeRight(KeyBuffer key) {
    rightWriting.write(key.bytes, 0, key.length);
  }

  /** Ends the partitioning and moves to the next pair; returns false if there is none. */
  public boolean next() {
    endPart();
    if (isWriting()) {
      leftWriting.rewind();
      rightWriting.rewind();
      for (int i = 0; i < RowPartitions.COUNT; i++) {
        Part part = new Part(leftWriting.take(i), rightWriting.take(i), writingLevel);
        if (part.left != null || part.right != null) {
          waiting.push(part);
        }
      }
      endWriting();
    }
    current = waiting.poll();
    return current != null;
  }

  /** Returns the left rows of the pair, or null if there are none. */
  public RowFile left() {
    return current.left;
  }

  /** Returns the right rows of the pair, or null if there are none. */
  public RowFile right() {
    return current.right;
  }

  /** Returns the level at which the rows of the pair were partitioned, counted from 0. */
  public int level() {
    return current.level;
  }

  private void endPart() {
    if (current != null) {
      current.close();
      current = null;
    }
  }

  private void endWriting() {
    if (isWriting()) {
      leftWriting.close();
      rightWriting.close();
      leftWriting = null;
      rightWriting = null;
    }
  }

  @Override
  public void close() {
    endPart();
    endWriting();
    waiting.forEach(Part::close);
    waiting.clear();
  }
}
