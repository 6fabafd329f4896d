package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.ExplainFormat;
import org.nelumbo.executor.op.core.FrameFields;

/**
 * The definition of an aggregation: the group expressions, the slots that show their values, and
 * the aggregate calls. Immutable.
 *
 * @param slots slot of each group expression, with its type
 */
public record Grouping(Expression[] expressions, int[] slots, AggregateExpression[] calls) {
  public Grouping {
    assert expressions.length == slots.length : "slots=" + slots.length;
  }

  Accumulator[] newAccumulators() {
    return Arrays.stream(calls).map(Accumulators::of).toArray(Accumulator[]::new);
  }

  void emit(Accumulator[] accumulators, int group, Frame frame) {
    for (int i = 0; i < accumulators.length; i++) {
      accumulators[i].emit(group, frame, calls[i].slot());
    }
  }

  FrameFields output() {
    IntStream results = Arrays.stream(calls).mapToInt(AggregateExpression::slot);
    return FrameFields.ofSlots(IntStream.concat(Arrays.stream(slots), results).toArray());
  }

  String explain() {
    String aggregates =
        Arrays.stream(calls).map(AggregateExpression::toString).collect(Collectors.joining(", "));
    String groups = expressions.length == 0 ? "" : "BY " + ExplainFormat.list(expressions);
    return groups + (groups.isEmpty() || aggregates.isEmpty() ? "" : ": ") + aggregates;
  }
}
