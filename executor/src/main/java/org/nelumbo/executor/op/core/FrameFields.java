package org.nelumbo.executor.op.core;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.nelumbo.executor.expr.Frame;

/**
 * A set of rows and slots of a frame: those that show the current row of an operator. Immutable.
 */
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

  /** All rows and slots of both. */
  public FrameFields union(FrameFields other) {
    return new FrameFields(union(rows, other.rows), union(slots, other.slots));
  }

  private static int[] union(int[] left, int[] right) {
    return IntStream.concat(Arrays.stream(left), Arrays.stream(right))
        .sorted()
        .distinct()
        .toArray();
  }

  /** How many rows. */
  public int rowCount() {
    return rows.length;
  }

  /** A row of the frame. */
  public int row(int i) {
    return rows[i];
  }

  /** How many slots. */
  public int slotCount() {
    return slots.length;
  }

  /** A slot of the frame. */
  public int slot(int i) {
    return slots[i];
  }

  /** Makes everything NULL: the missing side of an outer join. */
  public void setAbsent(Frame frame) {
    for (int row : rows) {
      frame.clearRow(row);
    }
    for (int slot : slots) {
      frame.setSlotNull(slot);
    }
  }
}
