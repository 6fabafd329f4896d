package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/** COUNT of rows, or of values that are not NULL. */
final class CountAccumulator extends Accumulator {
  private final Expression argument;
  private long[] counts = new long[1];

  /** Creates a counter; the argument is null for {@code COUNT(*)}. */
  CountAccumulator(Expression argument) {
    this.argument = argument == null || !argument.type().nullable() ? null : argument;
  }

  @Override
  void ensure(int groups) {
    if (groups > counts.length) {
      counts = Arrays.copyOf(counts, Math.max(groups, counts.length * 2));
    }
  }

  @Override
  void clear() {
    Arrays.fill(counts, 0);
  }

  @Override
  void add(int group, Frame frame) {
    if (argument == null || !argument.isNull(frame)) {
      counts[group]++;
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    frame.setSlotLong(slot, counts[group]);
  }
}
