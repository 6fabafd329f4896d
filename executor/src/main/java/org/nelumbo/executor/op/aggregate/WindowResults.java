package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;

/** The values of one window function for the rows of a partition. */
final class WindowResults {
  private final int slot;
  private final boolean isLong;
  private long[] longs = new long[0];
  private Object[] objects = new Object[0];
  private boolean[] nulls = new boolean[0];

  WindowResults(WindowCall call) {
    this.slot = call.slot();
    this.isLong = call.type().isLong();
  }

  void start(int rows) {
    if (nulls.length < rows) {
      longs = new long[isLong ? rows : 0];
      objects = new Object[isLong ? 0 : rows];
      nulls = new boolean[rows];
    }
  }

  void setLong(int row, long raw) {
    nulls[row] = false;
    longs[row] = raw;
  }

  void setNull(int row) {
    nulls[row] = true;
  }

  /** Takes the value of a row from the slot. */
  void take(int row, Frame frame) {
    nulls[row] = frame.isSlotNull(slot);
    if (isLong) {
      longs[row] = frame.slotLong(slot);
    } else {
      objects[row] = frame.slotObject(slot);
    }
  }

  /** Copies the value of a row to another row. */
  void copy(int from, int to) {
    nulls[to] = nulls[from];
    if (isLong) {
      longs[to] = longs[from];
    } else {
      objects[to] = objects[from];
    }
  }

  /** Writes the value of a row to the slot. */
  void show(int row, Frame frame) {
    if (nulls[row]) {
      frame.setSlotNull(slot);
    } else if (isLong) {
      frame.setSlotLong(slot, longs[row]);
    } else {
      frame.setSlotObject(slot, objects[row]);
    }
  }

  void clear() {
    Arrays.fill(objects, null);
  }
}
