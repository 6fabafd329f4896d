package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/**
 * Functions of pairs of numbers without NULLs: covariance, correlation and regression, computed in
 * one pass as in {@link VarianceAccumulator}. The first number of a pair is y, the second x.
 */
final class PairAccumulator extends Accumulator {
  private final AggregateExpression.Function function;
  private final Expression y;
  private final Expression x;
  private long[] counts = new long[1];

  /** Mean of x, mean of y, and the sums of squared deviations of x, of y, and of their products. */
  private double[][] sums = new double[5][1];

  PairAccumulator(AggregateExpression call) {
    this.function = call.function();
    this.y = Casts.toDouble(call.argument());
    this.x = Casts.toDouble(call.other());
  }

  @Override
  void ensure(int groups) {
    if (groups > counts.length) {
      int capacity = Math.max(groups, counts.length * 2);
      counts = Arrays.copyOf(counts, capacity);
      for (int i = 0; i < sums.length; i++) {
        sums[i] = Arrays.copyOf(sums[i], capacity);
      }
    }
  }

  @Override
  long groupBytes() {
    return 80;
  }

  @Override
  void clear() {
    Arrays.fill(counts, 0);
    for (double[] each : sums) {
      Arrays.fill(each, 0);
    }
  }

  @Override
  void add(int group, Frame frame) {
    double valueY = Double.longBitsToDouble(y.evalLong(frame));
    if (frame.takeNull()) {
      return;
    }
    double valueX = Double.longBitsToDouble(x.evalLong(frame));
    if (frame.takeNull()) {
      return;
    }
    long count = ++counts[group];
    double distanceX = valueX - sums[0][group];
    double distanceY = valueY - sums[1][group];
    sums[0][group] += distanceX / count;
    sums[1][group] += distanceY / count;
    sums[2][group] += distanceX * (valueX - sums[0][group]);
    sums[3][group] += distanceY * (valueY - sums[1][group]);
    sums[4][group] += distanceX * (valueY - sums[1][group]);
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    if (function == AggregateExpression.Function.REGR_COUNT) {
      frame.setSlotLong(slot, counts[group]);
      return;
    }
    double result = counts[group] == 0 ? Double.NaN : result(group);
    if (Double.isNaN(result)) {
      frame.setSlotNull(slot);
    } else {
      frame.setSlotLong(slot, Double.doubleToRawLongBits(result));
    }
  }

  /** NaN if undefined: there are too few pairs, or all x or all y are equal. */
  private double result(int group) {
    long count = counts[group];
    double meanX = sums[0][group];
    double meanY = sums[1][group];
    double squaresX = sums[2][group];
    double squaresY = sums[3][group];
    double products = sums[4][group];
    return switch (function) {
      case COVAR_POP -> products / count;
      case COVAR_SAMP -> count < 2 ? Double.NaN : products / (count - 1);
      case CORR -> products / Math.sqrt(squaresX * squaresY);
      case REGR_SLOPE -> products / squaresX;
      case REGR_INTERCEPT -> meanY - meanX * products / squaresX;
      case REGR_R2 ->
          squaresX == 0
              ? Double.NaN
              : squaresY == 0 ? 1 : products * products / (squaresX * squaresY);
      case REGR_AVGX -> meanX;
      case REGR_AVGY -> meanY;
      case REGR_SXX -> squaresX;
      case REGR_SYY -> squaresY;
      case REGR_SXY -> products;
      default -> throw new IllegalStateException("not of pairs, function=" + function);
    };
  }
}
