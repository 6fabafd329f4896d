package org.nelumbo.benchmark.data;

/**
 * A bijection from the ranks of a skewed distribution to numbers of the same range. It keeps
 * frequent numbers apart, so that they are not all in the same leaf of an index, for example. Since
 * the mapping is one to one, the numbers have exactly the distribution of the ranks.
 */
final class ScatteredRanks {
  /** A prime greater than every range, and therefore coprime to every count. */
  private static final long PRIME = 2_654_435_761L;

  private final int count;

  /** Creates the mapping for ranks and numbers from 0 (inclusive) to the count (exclusive). */
  ScatteredRanks(int count) {
    this.count = count;
  }

  int of(int rank) {
    return (int) (rank * PRIME % count); // below 2^63, since a rank is below 2^31
  }
}
