package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;

/** FILTER: passes the rows for which a condition is TRUE to another accumulator. */
final class FilteredAccumulator extends Accumulator {
  private final Accumulator inner;
  private final Expression condition;

  FilteredAccumulator(Accumulator inner, Expression condition) {
    this.inner = inner;
    this.condition = condition;
  }

  @Override
  void ensure(int groups) {
    inner.ensure(groups);
  }

  @Override
  long groupBytes() {
    return inner.groupBytes();
  }

  @Override
  void clear() {
    inner.clear();
  }

  @Override
  void add(int group, Frame frame) {
    if (condition.isTrue(frame)) {
      inner.add(group, frame);
    }
  }

  @Override
  void allowSpilling(FrameFields input) {
    inner.allowSpilling(input);
  }

  @Override
  void addRest(GroupOfRow groups, Frame frame) {
    inner.addRest(groups, frame);
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    inner.emit(group, frame, slot);
  }
}
