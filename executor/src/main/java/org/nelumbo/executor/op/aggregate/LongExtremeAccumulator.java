package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.RawValueOrder;

/** MIN, MAX or the first value of a {@code long} type. */
final class LongExtremeAccumulator extends Accumulator {
  private final Expression argument;
  private final int sign;
  private long[] values = new long[1];
  private boolean[] present = new boolean[1];

  /** Creates an accumulator of the maximum (sign 1), the minimum (-1), or the first value (0). */
  LongExtremeAccumulator(Expression argument, int sign) {
    this.argument = argument;
    this.sign = sign;
  }

  @Override
  void ensure(int groups) {
    if (groups > values.length) {
      int capacity = Math.max(groups, values.length * 2);
      present = Arrays.copyOf(present, capacity);
      values = Arrays.copyOf(values, capacity);
    }
  }

  @Override
  void clear() {
    Arrays.fill(present, false);
  }

  @Override
  void add(int group, Frame frame) {
    long value = argument.evalLong(frame);
    if (frame.takeNull()) {
      return;
    }
    if (!present[group]) {
      present[group] = true;
      values[group] = value;
    } else if (sign != 0
        && RawValueOrder.compareLongs(argument.type(), value, values[group]) * sign > 0) {
      values[group] = value;
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    if (present[group]) {
      frame.setSlotLong(slot, values[group]);
    } else {
      frame.setSlotNull(slot);
    }
  }
}
