package org.nelumbo.benchmark.data;

/**
 * A distribution of the integers from 0 (inclusive) to a count (exclusive). Immutable; shared by
 * terminals.
 */
@FunctionalInterface
public interface Keys {
  /** Draws the next number. */
  int draw(RandomValues random);

  /** Returns the uniform distribution. */
  static Keys uniform(int count) {
    return random -> random.uniform(0, count - 1);
  }

  /** Returns a Zipfian distribution whose frequent numbers are scattered over the range. */
  static Keys zipfian(int count, double exponent) {
    ScatteredRanks ranks = new ScatteredRanks(count);
    Zipf zipf = new Zipf(count, exponent);
    return random -> ranks.of(zipf.draw(random));
  }
}
