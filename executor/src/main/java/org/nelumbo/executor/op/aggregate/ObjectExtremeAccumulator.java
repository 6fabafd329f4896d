package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.RawValueOrder;

/** MIN, MAX or the first value of an object type. */
final class ObjectExtremeAccumulator extends Accumulator {
  private final Expression argument;
  private final int sign;
  private Object[] values = new Object[1];

  /** Keeps the greatest (sign 1), the least (-1), or the first (0). */
  ObjectExtremeAccumulator(Expression argument, int sign) {
    this.argument = argument;
    this.sign = sign;
  }

  @Override
  void ensure(int groups) {
    if (groups > values.length) {
      values = Arrays.copyOf(values, Math.max(groups, values.length * 2));
    }
  }

  @Override
  void clear() {
    Arrays.fill(values, null);
  }

  @Override
  void add(int group, Frame frame) {
    Object value = argument.evalObject(frame);
    if (value == null) {
      return;
    }
    Object known = values[group];
    boolean better =
        known == null
            || (sign != 0
                && Integer.signum(RawValueOrder.compareObjects(argument.type(), value, known))
                    == sign);
    if (better) {
      values[group] = value;
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    frame.setSlotObject(slot, values[group]);
  }
}
