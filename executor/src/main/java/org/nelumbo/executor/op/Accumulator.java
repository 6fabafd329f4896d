package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/** What an aggregate call has seen, of each group (numbered from 0). Not thread-safe. */
abstract class Accumulator {
  /** Makes room for so many groups; those new are empty. */
  abstract void ensure(int groups);

  /** Forgets all groups. */
  abstract void clear();

  /** Takes the frame's row into a group. */
  abstract void add(int group, Frame frame);

  /** Puts a group's result into a slot. */
  abstract void emit(int group, Frame frame, int slot);

  static Accumulator of(AggregateCall call) {
    Accumulator plain = plain(call);
    boolean distinct = call.distinct() && call.argument() != null;
    Accumulator counted = distinct ? new DistinctAccumulator(plain, call.argument()) : plain;
    return call.filter() == null ? counted : new FilteredAccumulator(counted, call.filter());
  }

  private static Accumulator plain(AggregateCall call) {
    Expression argument = call.argument();
    return switch (call.function()) {
      case COUNT -> new CountAccumulator(argument);
      case MIN -> extreme(argument, -1);
      case MAX -> extreme(argument, 1);
      case ANY_VALUE -> extreme(argument, 0);
      case SINGLE_VALUE -> new SingleValueAccumulator(extreme(argument, 0));
      default -> sum(call);
    };
  }

  private static Accumulator extreme(Expression argument, int sign) {
    return argument.type().isLong()
        ? new LongExtremeAccumulator(argument, sign)
        : new ObjectExtremeAccumulator(argument, sign);
  }

  private static Accumulator sum(AggregateCall call) {
    Expression argument = call.argument();
    if (argument.type().kind().isFloating()) {
      return new DoubleSumAccumulator(call);
    }
    return argument.type().isLong() ? new LongSumAccumulator(call) : new BigSumAccumulator(call);
  }
}
