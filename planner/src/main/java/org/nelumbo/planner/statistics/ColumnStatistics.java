package org.nelumbo.planner.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Statistics of the values of one column, taken from a sample. Values are encoded as keys of an
 * ascending index, whose byte order is the order of the values; long ones are truncated. Immutable.
 *
 * @param nullShare fraction of rows in which the column is NULL
 * @param distinct estimated number of distinct values
 * @param common values that are more frequent than the average, most frequent first
 * @param shares fraction of all rows for each common value
 * @param bounds equi-depth histogram: values that divide the non-NULL values into parts of equal
 *     size, from the least to the greatest; empty if all are NULL
 */
record ColumnStatistics(
    double nullShare, double distinct, byte[][] common, double[] shares, byte[][] bounds) {
  /** Maximum length of an encoded value in bytes. */
  static final int LONGEST = 48;

  /** Maximum number of common values, and number of histogram parts. */
  private static final int MOST_COMMON = 64;

  private static final int PARTS = 128;

  /** Minimum frequency of a common value, relative to the average. */
  private static final double COMMON_FACTOR = 1.25;

  /**
   * Computes the statistics of a sample.
   *
   * @param values the sampled values without NULLs; sorted by this method
   * @param sampled number of rows in the sample
   * @param rows number of rows in the table
   */
  static ColumnStatistics of(byte[][] values, int sampled, double rows) {
    Arrays.sort(values, Arrays::compareUnsigned);
    int[] starts = starts(values);
    int different = starts.length;
    double nullShare = sampled == 0 ? 0 : 1 - (double) values.length / sampled;
    double average = (double) values.length / Math.max(1, different);
    int[] common =
        IntStream.range(0, different)
            .filter(i -> count(starts, i, values.length) > 1)
            .filter(
                i ->
                    different <= MOST_COMMON
                        || count(starts, i, values.length) > average * COMMON_FACTOR)
            .boxed()
            .sorted(
                (a, b) ->
                    Integer.compare(
                        count(starts, b, values.length), count(starts, a, values.length)))
            .limit(MOST_COMMON)
            .mapToInt(i -> i)
            .toArray();
    int singles =
        (int)
            IntStream.range(0, different).filter(i -> count(starts, i, values.length) == 1).count();
    return new ColumnStatistics(
        nullShare,
        distinct(values.length, different, singles, rows * (1 - nullShare)),
        Arrays.stream(common).mapToObj(i -> values[starts[i]]).toArray(byte[][]::new),
        Arrays.stream(common)
            .mapToDouble(i -> (double) count(starts, i, values.length) / sampled)
            .toArray(),
        bounds(values));
  }

  private static int[] starts(byte[][] sorted) {
    return IntStream.range(0, sorted.length)
        .filter(i -> i == 0 || !Arrays.equals(sorted[i - 1], sorted[i]))
        .toArray();
  }

  private static int count(int[] starts, int value, int length) {
    return (value + 1 < starts.length ? starts[value + 1] : length) - starts[value];
  }

  private static byte[][] bounds(byte[][] sorted) {
    if (sorted.length == 0) {
      return sorted;
    }
    int parts = Math.min(PARTS, sorted.length);
    byte[][] bounds = new byte[parts + 1][];
    for (int i = 0; i <= parts; i++) {
      bounds[i] = sorted[(int) ((long) i * (sorted.length - 1) / parts)];
    }
    return bounds;
  }

  /**
   * Estimates the number of distinct values in a table from a sample, with the estimator Duj1 of
   * Haas and Stokes, which PostgreSQL also uses.
   *
   * @param sampled number of values in the sample
   * @param different number of distinct values in the sample
   * @param singles number of values that occur once in the sample
   * @param values number of values in the table
   */
  static double distinct(int sampled, int different, int singles, double values) {
    if (sampled == 0 || values <= sampled) {
      return different;
    }
    double estimate =
        sampled * (double) different / (sampled - singles + singles * sampled / values);
    return Math.clamp(estimate, different, values);
  }

  /** Returns the fraction of rows with a value. */
  double equal(byte[] value) {
    double others = 1 - nullShare;
    for (int i = 0; i < common.length; i++) {
      if (Arrays.equals(common[i], value)) {
        return shares[i];
      }
      others -= shares[i];
    }
    return Math.max(0, others) / Math.max(1, distinct - common.length);
  }

  /** Returns the fraction of rows with a value less than the given one. */
  double below(byte[] value) {
    int first = 0;
    while (first < bounds.length && Arrays.compareUnsigned(bounds[first], value) < 0) {
      first++;
    }
    if (first == 0 || first == bounds.length) {
      return first == 0 ? 0 : 1 - nullShare;
    }
    double part = Arrays.equals(bounds[first], value) ? first : first - 0.5;
    return (1 - nullShare) * part / (bounds.length - 1);
  }

  /** Returns the fraction of rows with the most frequent value. */
  double mostCommon() {
    return shares.length == 0 ? 0 : shares[0];
  }
}
