package org.nelumbo.benchmark.data;

/**
 * Gives each rank of a skewed distribution a number of the same range, no two the same, so that
 * frequent numbers do not lie side by side: in the same leaf of an index, say. Since it is one to
 * one, the numbers follow exactly the distribution of the ranks.
 */
final class ScatteredRanks {
  /** A prime beyond all ranges, hence without common divisor with any of them. */
  private static final long PRIME = 2_654_435_761L;

  private final int count;

  /** Ranks and numbers from 0 to below the count. */
  ScatteredRanks(int count) {
    this.count = count;
  }

  int of(int rank) {
    return (int) (rank * PRIME % count); // below 2^63, since a rank is below 2^31
  }
}
