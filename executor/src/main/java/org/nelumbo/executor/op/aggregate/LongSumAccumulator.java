package org.nelumbo.executor.op.aggregate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/**
 * Exact 128-bit sum of {@code long} numbers, or of DECIMALs most of which fit into a {@code long}
 * at their scale. The intermediate sum cannot overflow.
 */
final class LongSumAccumulator extends Accumulator {
  private final Expression argument;
  private final SumResult result;
  private final boolean direct;

  private final boolean mayBeWide;

  private long[] lows = new long[1];
  private long[] highs = new long[1];
  private long[] counts = new long[1];

  /** Sum of each group's values that do not fit into a {@code long}; null while there are none. */
  private BigDecimal[] wideSums;

  LongSumAccumulator(AggregateExpression call) {
    this.argument = call.argument();
    this.result = new SumResult(call);
    this.mayBeWide = !argument.type().isLong();
    this.direct = !mayBeWide && result.isDirect(argument.type());
  }

  @Override
  void ensure(int groups) {
    if (groups > lows.length) {
      int capacity = Math.max(groups, lows.length * 2);
      highs = Arrays.copyOf(highs, capacity);
      counts = Arrays.copyOf(counts, capacity);
      if (wideSums != null) {
        wideSums = Arrays.copyOf(wideSums, capacity);
      }
      lows = Arrays.copyOf(lows, capacity);
    }
  }

  @Override
  void clear() {
    Arrays.fill(lows, 0);
    Arrays.fill(highs, 0);
    Arrays.fill(counts, 0);
    wideSums = null;
  }

  @Override
  long groupBytes() {
    return mayBeWide ? 160 : super.groupBytes();
  }

  @Override
  void add(int group, Frame frame) {
    long value = mayBeWide ? argument.evalUnscaled(frame) : argument.evalLong(frame);
    if (frame.takeNull()) {
      return;
    }
    BigDecimal wide = mayBeWide ? frame.takeWide() : null;
    if (wide != null) {
      addWide(group, wide);
      return;
    }
    long low = lows[group] + value;
    long carry = Long.compareUnsigned(low, value) < 0 ? 1 : 0;
    lows[group] = low;
    highs[group] += (value >> 63) + carry;
    counts[group]++;
  }

  private void addWide(int group, BigDecimal value) {
    if (wideSums == null) {
      wideSums = new BigDecimal[counts.length];
    }
    wideSums[group] = wideSums[group] == null ? value : wideSums[group].add(value);
    counts[group]++;
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    if (result.emitEmpty(counts[group], frame, slot)) {
      return;
    }
    long low = lows[group];
    if (direct) {
      if (highs[group] != low >> 63) {
        throw result.outOfRange();
      }
      result.emitDirect(low, frame, slot);
    } else {
      result.emit(sum(group), counts[group], frame, slot);
    }
  }

  private BigDecimal sum(int group) {
    BigDecimal wide = wideSums == null ? null : wideSums[group];
    return wide == null ? longSum(group) : wide.add(longSum(group));
  }

  private BigDecimal longSum(int group) {
    int scale = argument.type().scale();
    long low = lows[group];
    if (highs[group] == low >> 63) {
      return BigDecimal.valueOf(low, scale);
    }
    BigInteger unsignedLow =
        BigInteger.valueOf(low >>> 1).shiftLeft(1).add(BigInteger.valueOf(low & 1));
    BigInteger sum = BigInteger.valueOf(highs[group]).shiftLeft(64).add(unsignedLow);
    return new BigDecimal(sum, scale);
  }
}
