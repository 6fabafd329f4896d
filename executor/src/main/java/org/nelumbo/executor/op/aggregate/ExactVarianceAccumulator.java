package org.nelumbo.executor.op.aggregate;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import org.nelumbo.executor.expr.ExactNumbers;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Variance and standard deviation of exact numbers. The sums are exact, and the result is rounded
 * once, to a DOUBLE, so it does not depend on the order of the rows. Values whose unscaled value
 * has 32 bits are summed in {@code long}s.
 */
final class ExactVarianceAccumulator extends Accumulator {
  private final Expression argument;
  private final boolean sample;
  private final boolean root;
  private final int scale;
  private long[] counts = new long[1];

  /** Unscaled sums, and sums of squares, of the values that are not in the large sums. */
  private long[] smallSums = new long[1];

  private long[] smallSquares = new long[1];
  private BigDecimal[] largeSums = new BigDecimal[1];
  private BigDecimal[] largeSquares = new BigDecimal[1];

  /**
   * Creates an accumulator.
   *
   * @param argument an integer, DECIMAL or NUMERIC
   * @param sample true for the sample variance, which is NULL for a single value
   * @param root true for the standard deviation
   */
  ExactVarianceAccumulator(Expression argument, boolean sample, boolean root) {
    this.argument = argument;
    this.sample = sample;
    this.root = root;
    this.scale = argument.type().isLong() ? argument.type().scale() : 0;
  }

  @Override
  void ensure(int groups) {
    if (groups > counts.length) {
      int capacity = Math.max(groups, counts.length * 2);
      smallSums = Arrays.copyOf(smallSums, capacity);
      smallSquares = Arrays.copyOf(smallSquares, capacity);
      largeSums = Arrays.copyOf(largeSums, capacity);
      largeSquares = Arrays.copyOf(largeSquares, capacity);
      counts = Arrays.copyOf(counts, capacity);
    }
  }

  @Override
  long groupBytes() {
    return 240;
  }

  @Override
  void clear() {
    Arrays.fill(counts, 0);
    Arrays.fill(smallSums, 0);
    Arrays.fill(smallSquares, 0);
    Arrays.fill(largeSums, null);
    Arrays.fill(largeSquares, null);
  }

  @Override
  void add(int group, Frame frame) {
    if (!argument.type().isLong()) {
      BigDecimal value = (BigDecimal) argument.evalObject(frame);
      if (value != null) {
        counts[group]++;
        addLarge(group, value, value.multiply(value));
      }
      return;
    }
    long value = argument.evalLong(frame);
    if (frame.takeNull()) {
      return;
    }
    counts[group]++;
    if (value != (int) value) {
      BigDecimal large = BigDecimal.valueOf(value, scale);
      addLarge(group, large, large.multiply(large));
      return;
    }
    if (smallSquares[group] + value * value < 0) {
      BigDecimal square = BigDecimal.valueOf(smallSquares[group], 2 * scale);
      addLarge(group, BigDecimal.valueOf(smallSums[group], scale), square);
      smallSums[group] = 0;
      smallSquares[group] = 0;
    }
    smallSums[group] += value;
    smallSquares[group] += value * value;
  }

  private void addLarge(int group, BigDecimal sum, BigDecimal square) {
    boolean isFirst = largeSums[group] == null;
    largeSums[group] = isFirst ? sum : largeSums[group].add(sum);
    largeSquares[group] = isFirst ? square : largeSquares[group].add(square);
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    long count = counts[group];
    long divisor = sample ? count - 1 : count;
    if (divisor <= 0) {
      frame.setSlotNull(slot);
      return;
    }
    BigDecimal sum = BigDecimal.valueOf(smallSums[group], scale);
    BigDecimal squares = BigDecimal.valueOf(smallSquares[group], 2 * scale);
    if (largeSums[group] != null) {
      sum = sum.add(largeSums[group]);
      squares = squares.add(largeSquares[group]);
    }
    BigDecimal n = BigDecimal.valueOf(count);
    BigDecimal difference = n.multiply(squares).subtract(sum.multiply(sum));
    BigDecimal variance =
        difference.divide(n.multiply(BigDecimal.valueOf(divisor)), MathContext.DECIMAL128);
    double result = (root ? variance.sqrt(MathContext.DECIMAL128) : variance).doubleValue();
    if (Double.isInfinite(result)) {
      throw ExactNumbers.outOfRange(ColumnType.of(Kind.DOUBLE));
    }
    frame.setSlotLong(slot, Double.doubleToRawLongBits(result));
  }
}
