package org.nelumbo.planner.statistics;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * What a sample tells of the values of one column. Values are keys as an ascending index has them,
 * whose order as bytes is the order of the values; of long ones the beginning. Immutable.
 *
 * @param nullShare share of rows in which it is NULL
 * @param distinct how many different values there are, about
 * @param common values that more rows have than an average one, most frequent first
 * @param shares of these, the share of all rows that have it
 * @param bounds values that cut those which are not NULL into parts with equally many rows, from
 *     the least to the greatest; none if all are NULL
 */
record ColumnStatistics(
    double nullShare, double distinct, byte[][] common, double[] shares, byte[][] bounds) {
  /** Bytes of a value that count. */
  static final int LONGEST = 48;

  /** Values that are remembered for themselves, and parts of equally many rows. */
  private static final int MOST_COMMON = 64;

  private static final int PARTS = 128;

  /** A value is common that so many times the average number of rows have. */
  private static final double COMMON_FACTOR = 1.25;

  /**
   * Makes them of a sample.
   *
   * @param values those of the sample that are not NULL; sorted here
   * @param sampled rows of the sample
   * @param rows of the table
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
   * How many different values a table has of which a sample has been seen: the estimator Duj1 of
   * Haas and Stokes, which PostgreSQL uses as well.
   *
   * @param sampled values in the sample
   * @param different how many different ones
   * @param singles how many of these come once
   * @param values in the table
   */
  static double distinct(int sampled, int different, int singles, double values) {
    if (sampled == 0 || values <= sampled) {
      return different;
    }
    double estimate =
        sampled * (double) different / (sampled - singles + singles * sampled / values);
    return Math.clamp(estimate, different, values);
  }

  /** The share of rows that have a value. */
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

  /** The share of rows with a value less than one. */
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

  /** The share of rows that the most frequent value has. */
  double mostCommon() {
    return shares.length == 0 ? 0 : shares[0];
  }
}
