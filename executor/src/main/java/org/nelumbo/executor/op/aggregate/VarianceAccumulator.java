package org.nelumbo.executor.op.aggregate;

import java.util.Arrays;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;

/**
 * Variance and standard deviation of floating-point numbers by Welford's method, which takes one
 * pass and is numerically stable.
 */
final class VarianceAccumulator extends Accumulator {
  private final Expression argument;
  private final boolean sample;
  private final boolean root;
  private long[] counts = new long[1];
  private double[] means = new double[1];
  private double[] squares = new double[1];

  /**
   * Creates an accumulator.
   *
   * @param argument a DOUBLE
   * @param sample true for the sample variance, which is NULL for a single value
   * @param root true for the standard deviation
   */
  VarianceAccumulator(Expression argument, boolean sample, boolean root) {
    this.argument = argument;
    this.sample = sample;
    this.root = root;
  }

  @Override
  void ensure(int groups) {
    if (groups > counts.length) {
      int capacity = Math.max(groups, counts.length * 2);
      means = Arrays.copyOf(means, capacity);
      squares = Arrays.copyOf(squares, capacity);
      counts = Arrays.copyOf(counts, capacity);
    }
  }

  @Override
  void clear() {
    Arrays.fill(counts, 0);
    Arrays.fill(means, 0);
    Arrays.fill(squares, 0);
  }

  @Override
  void add(int group, Frame frame) {
    double value = Double.longBitsToDouble(argument.evalLong(frame));
    if (frame.takeNull()) {
      return;
    }
    long count = ++counts[group];
    double distance = value - means[group];
    means[group] += distance / count;
    squares[group] += distance * (value - means[group]);
  }

  @Override
  void emit(int group, Frame frame, int slot) {
    long divisor = sample ? counts[group] - 1 : counts[group];
    if (divisor <= 0) {
      frame.setSlotNull(slot);
      return;
    }
    double variance = squares[group] / divisor;
    frame.setSlotLong(slot, Double.doubleToRawLongBits(root ? Math.sqrt(variance) : variance));
  }
}
