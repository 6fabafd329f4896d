package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Frame;

/** The value of a scalar subquery: the value of its only row, or NULL if there is no row. */
final class SingleValueAccumulator extends Accumulator {
  private final Accumulator first;
  private boolean[] seen = new boolean[1];

  SingleValueAccumulator(Accumulator first) {
    this.first = first;
  }

  @Override
  void ensure(int groups) {
    first.ensure(groups);
    if (groups > seen.length) {
      seen = Arrays.copyOf(seen, Math.max(groups, seen.length * 2));
    }
  }

  @Override
  void clear() {
    first.clear();
    Arrays.fill(seen, false);
  }

  @Override
  void add(int group, Frame frame) {
    if (seen[group]) {
      throw new NelumboException(
          ErrorCode.CARDINALITY, "a subquery used as a value returned more than one row");
    }
    seen[group] = true;
    first.add(group, frame);
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    first.emit(group, frame, slot);
  }
}
