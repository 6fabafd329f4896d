package org.nelumbo.executor.op.aggregate;

import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;

/** Creates the accumulators of aggregate calls. */
final class Accumulators {
  private Accumulators() {}

  static Accumulator of(AggregateExpression call) {
    Accumulator plain = plain(call);
    boolean distinct = call.distinct() && call.argument() != null;
    Accumulator counted = distinct ? new DistinctAccumulator(plain, call.argument()) : plain;
    return call.filter() == null ? counted : new FilteredAccumulator(counted, call.filter());
  }

  private static Accumulator plain(AggregateExpression call) {
    Expression argument = call.argument();
    return switch (call.function()) {
      case COUNT -> new CountAccumulator(argument);
      case MIN -> extreme(argument, -1);
      case MAX -> extreme(argument, 1);
      case ANY_VALUE -> extreme(argument, 0);
      case VAR_POP -> variance(argument, false, false);
      case VAR_SAMP -> variance(argument, true, false);
      case STDDEV_POP -> variance(argument, false, true);
      case STDDEV_SAMP -> variance(argument, true, true);
      case BIT_AND, BIT_OR, BIT_XOR -> new BitAccumulator(call);
      case COVAR_POP, COVAR_SAMP, CORR -> new PairAccumulator(call);
      case REGR_COUNT, REGR_SLOPE, REGR_INTERCEPT, REGR_R2 -> new PairAccumulator(call);
      case REGR_AVGX, REGR_AVGY, REGR_SXX, REGR_SYY, REGR_SXY -> new PairAccumulator(call);
      case LISTAGG -> new JoiningAccumulator(argument, call.joining());
      case PERCENTILE_CONT, PERCENTILE_DISC, MODE -> new OrderedAccumulator(call);
      case SINGLE_VALUE -> new SingleValueAccumulator(extreme(argument, 0));
      default -> sum(call);
    };
  }

  private static Accumulator variance(Expression argument, boolean sample, boolean root) {
    return argument.type().kind().isExact()
        ? new ExactVarianceAccumulator(argument, sample, root)
        : new VarianceAccumulator(Casts.toDouble(argument), sample, root);
  }

  private static Accumulator extreme(Expression argument, int sign) {
    return argument.type().isLong()
        ? new LongExtremeAccumulator(argument, sign)
        : new ObjectExtremeAccumulator(argument, sign);
  }

  private static Accumulator sum(AggregateExpression call) {
    Expression argument = call.argument();
    if (argument.type().kind().isFloating()) {
      return new DoubleSumAccumulator(call);
    }
    return argument.type().isLong() || argument.hasUnscaled()
        ? new LongSumAccumulator(call)
        : new BigSumAccumulator(call);
  }
}
