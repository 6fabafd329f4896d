package org.nelumbo.executor.op;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/**
 * What the aggregate operators share: which expressions form the groups, which slots show them, and
 * the calls. Immutable definition.
 *
 * @param slots of each group expression, a slot of its type
 */
public record Grouping(Expression[] expressions, int[] slots, AggregateCall[] calls) {
  Accumulator[] newAccumulators() {
    return Arrays.stream(calls).map(Accumulators::of).toArray(Accumulator[]::new);
  }

  void emit(Accumulator[] accumulators, int group, Frame frame) {
    for (int i = 0; i < accumulators.length; i++) {
      accumulators[i].emit(group, frame, calls[i].slot());
    }
  }

  FrameSet output() {
    IntStream results = Arrays.stream(calls).mapToInt(AggregateCall::slot);
    return FrameSet.ofSlots(IntStream.concat(Arrays.stream(slots), results).toArray());
  }

  String explain() {
    String aggregates =
        Arrays.stream(calls).map(AggregateCall::toString).collect(Collectors.joining(", "));
    String groups = expressions.length == 0 ? "" : "BY " + Explain.list(expressions);
    return groups + (groups.isEmpty() || aggregates.isEmpty() ? "" : ": ") + aggregates;
  }
}
