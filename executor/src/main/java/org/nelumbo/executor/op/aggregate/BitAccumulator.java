package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/** BIT_AND, BIT_OR and BIT_XOR of integers. */
final class BitAccumulator extends Accumulator {
  private final AggregateExpression.Function function;
  private final Expression argument;
  private long[] bits = new long[1];
  private boolean[] known = new boolean[1];

  BitAccumulator(AggregateExpression call) {
    this.function = call.function();
    this.argument = call.argument();
  }

  @Override
  void ensure(int groups) {
    if (groups > bits.length) {
      int capacity = Math.max(groups, bits.length * 2);
      known = Arrays.copyOf(known, capacity);
      bits = Arrays.copyOf(bits, capacity);
    }
  }

  @Override
  void clear() {
    Arrays.fill(known, false);
  }

  @Override
  void add(int group, Frame frame) {
    long value = argument.evalLong(frame);
    if (frame.takeNull()) {
      return;
    }
    if (!known[group]) {
      known[group] = true;
      bits[group] = value;
      return;
    }
    switch (function) {
      case BIT_AND -> bits[group] &= value;
      case BIT_OR -> bits[group] |= value;
      default -> bits[group] ^= value;
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    if (known[group]) {
      frame.setSlotLong(slot, bits[group]);
    } else {
      frame.setSlotNull(slot);
    }
  }
}
