package org.nelumbo.executor.op.aggregate;

import java.math.BigDecimal;
import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/**
 * Sum of REAL or DOUBLE values with Neumaier's compensation, so that it hardly depends on their
 * order.
 */
final class DoubleSumAccumulator extends Accumulator {
  private final Expression argument;
  private final SumResult result;
  private double[] sums = new double[1];
  private double[] corrections = new double[1];
  private long[] counts = new long[1];

  DoubleSumAccumulator(AggregateExpression call) {
    this.argument = call.argument();
    this.result = new SumResult(call);
  }

  @Override
  void ensure(int groups) {
    if (groups > sums.length) {
      int capacity = Math.max(groups, sums.length * 2);
      corrections = Arrays.copyOf(corrections, capacity);
      counts = Arrays.copyOf(counts, capacity);
      sums = Arrays.copyOf(sums, capacity);
    }
  }

  @Override
  void clear() {
    Arrays.fill(sums, 0);
    Arrays.fill(corrections, 0);
    Arrays.fill(counts, 0);
  }

  @Override
  void add(int group, Frame frame) {
    double value = Double.longBitsToDouble(argument.evalLong(frame));
    if (frame.takeNull()) {
      return;
    }
    double sum = sums[group];
    double next = sum + value;
    corrections[group] +=
        Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sums[group] = next;
    counts[group]++;
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    if (result.emitEmpty(counts[group], frame, slot)) {
      return;
    }
    double corrected = sums[group] + corrections[group];
    double sum = Double.isFinite(corrected) ? corrected : sums[group];
    if (!result.type().kind().isFloating()) {
      if (!Double.isFinite(sum)) {
        throw result.outOfRange();
      }
      result.emit(new BigDecimal(sum), counts[group], frame, slot);
    } else {
      result.emitFloating(result.isAverage() ? sum / counts[group] : sum, frame, slot);
    }
  }
}
