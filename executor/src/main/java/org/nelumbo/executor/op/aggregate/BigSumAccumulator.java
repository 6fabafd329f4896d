package org.nelumbo.executor.op.aggregate;

import java.math.BigDecimal;
import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/** Exact sum of NUMERICs, and of DECIMALs with more than 18 digits. */
final class BigSumAccumulator extends Accumulator {
  private final Expression argument;
  private final SumResult result;
  private BigDecimal[] sums = new BigDecimal[1];
  private long[] counts = new long[1];

  BigSumAccumulator(AggregateExpression call) {
    this.argument = call.argument();
    this.result = new SumResult(call);
  }

  @Override
  void ensure(int groups) {
    if (groups > sums.length) {
      int capacity = Math.max(groups, sums.length * 2);
      counts = Arrays.copyOf(counts, capacity);
      sums = Arrays.copyOf(sums, capacity);
    }
  }

  @Override
  long groupBytes() {
    return 160;
  }

  @Override
  void clear() {
    Arrays.fill(sums, null);
    Arrays.fill(counts, 0);
  }

  @Override
  void add(int group, Frame frame) {
    BigDecimal value = (BigDecimal) argument.evalObject(frame);
    if (value != null) {
      sums[group] = sums[group] == null ? value : sums[group].add(value);
      counts[group]++;
    }
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    if (!result.emitEmpty(counts[group], frame, slot)) {
      result.emit(sums[group], counts[group], frame, slot);
    }
  }
}
