package org.nelumbo.executor.op;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.nelumbo.executor.expr.Frame;

/** Rows and slots of a frame. Immutable. */
public final class FrameSet {
  public static final FrameSet EMPTY = new FrameSet(new int[0], new int[0]);

  private final int[] rows;
  private final int[] slots;

  private FrameSet(int[] rows, int[] slots) {
    this.rows = rows;
    this.slots = slots;
  }

  public static FrameSet ofRow(int row) {
    return new FrameSet(new int[] {row}, new int[0]);
  }

  public static FrameSet ofSlots(int... slots) {
    return new FrameSet(new int[0], slots.clone());
  }

  /** All rows and slots of both. */
  public FrameSet and(FrameSet other) {
    return new FrameSet(union(rows, other.rows), union(slots, other.slots));
  }

  private static int[] union(int[] left, int[] right) {
    return IntStream.concat(Arrays.stream(left), Arrays.stream(right))
        .sorted()
        .distinct()
        .toArray();
  }

  int rowCount() {
    return rows.length;
  }

  int row(int i) {
    return rows[i];
  }

  int slotCount() {
    return slots.length;
  }

  int slot(int i) {
    return slots[i];
  }

  /** Makes everything NULL: the missing side of an outer join. */
  void setAbsent(Frame frame) {
    for (int row : rows) {
      frame.clearRow(row);
    }
    for (int slot : slots) {
      frame.setSlotNull(slot);
    }
  }
}
