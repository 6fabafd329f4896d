package org.nelumbo.benchmark.data;

/**
 * A generator of ranks by Zipf's law: rank {@code r}, counted from 0, is drawn in proportion to
 * {@code 1 / (r + 1) ^ exponent}. Draws follow the law exactly, in constant time and without a
 * table, by rejection from the inverse of its integral (Hörmann and Derflinger,
 * "Rejection-inversion to generate variates from monotone discrete distributions", ACM TOMACS 6(3),
 * 1996). Immutable.
 */
public final class Zipf {
  private final int count;
  private final double exponent;
  private final double flatness;
  private final double integralOfFirst;
  private final double integralOfAll;
  private final double surelyBelow;

  /**
   * Creates a generator of ranks from 0 (inclusive) to {@code count} (exclusive).
   *
   * @param exponent more than 0 and not 1; a larger exponent gives more skew
   */
  public Zipf(int count, double exponent) {
    if (count < 1 || !(exponent > 0) || exponent == 1) {
      throw new IllegalArgumentException("count=" + count + " exponent=" + exponent);
    }
    this.count = count;
    this.exponent = exponent;
    this.flatness = 1 - exponent;
    this.integralOfFirst = integral(1.5) - 1;
    this.integralOfAll = integral(count + 0.5);
    this.surelyBelow = 2 - inverse(integral(2.5) - density(2));
  }

  /** Draws the next rank. */
  public int draw(RandomValues random) {
    while (true) {
      double area = integralOfAll + random.fraction() * (integralOfFirst - integralOfAll);
      double x = inverse(area);
      int k = (int) Math.min(count, Math.max(1, Math.round(x)));
      if (k - x <= surelyBelow || area >= integral(k + 0.5) - density(k)) {
        return k - 1;
      }
    }
  }

  private double density(double x) {
    return Math.pow(x, -exponent);
  }

  /** Returns the integral of the density, up to a constant. */
  private double integral(double x) {
    return (Math.pow(x, flatness) - 1) / flatness;
  }

  private double inverse(double area) {
    return Math.pow(Math.max(0, 1 + area * flatness), 1 / flatness);
  }
}
