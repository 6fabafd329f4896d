package org.nelumbo.benchmark.data;

/** Draws numbers from 0 to below a count. Immutable; shared by terminals. */
@FunctionalInterface
public interface Keys {
  /** The next number. */
  int draw(RandomValues random);

  /** All numbers equally often. */
  static Keys uniform(int count) {
    return random -> random.uniform(0, count - 1);
  }

  /** Zipfian, the frequent numbers scattered over the range. */
  static Keys zipfian(int count, double exponent) {
    ScatteredRanks ranks = new ScatteredRanks(count);
    Zipf zipf = new Zipf(count, exponent);
    return random -> ranks.of(zipf.draw(random));
  }
}
