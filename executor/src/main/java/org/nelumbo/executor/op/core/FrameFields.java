package org.nelumbo.executor.op.core;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.nelumbo.executor.expr.Frame;

/** A set of rows and slots of a frame that show the current row of an operator. Immutable. */
public final class FrameFields {
  public static final FrameFields EMPTY = new FrameFields(new int[0], new int[0]);

  private final int[] rows;
  private final int[] slots;

  private FrameFields(int[] rows, int[] slots) {
    this.rows = rows;
    this.slots = slots;
  }

  public static FrameFields ofRow(int row) {
    return new FrameFields(new int[] {row}, new int[0]);
  }

  public static FrameFields ofSlots(int... slots) {
    return new FrameFields(new int[0], slots.clone());
  }

  /** Returns the union of both sets. */
  public FrameFields union(FrameFields other) {
    return new FrameFields(union(rows, other.rows), union(slots, other.slots));
  }

  private static int[] union(int[] left, int[] right) {
    return IntStream.concat(Arrays.stream(left), Arrays.stream(right))
        .sorted()
        .distinct()
        .toArray();
  }

  /** Returns the number of rows. */
  public int rowCount() {
    return rows.length;
  }

  /** Returns the frame row at a position of this set. */
  public int row(int i) {
    return rows[i];
  }

  /** Returns the number of slots. */
  public int slotCount() {
    return slots.length;
  }

  /** Returns the frame slot at a position of this set. */
  public int slot(int i) {
    return slots[i];
  }

  /** Sets all rows and slots to NULL: the missing side of an outer join. */
  public void setAbsent(Frame frame) {
    for (int row : rows) {
      frame.clearRow(row);
    }
    for (int slot : slots) {
      frame.setSlotNull(slot);
    }
  }
}
