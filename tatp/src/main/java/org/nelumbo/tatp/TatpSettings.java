package org.nelumbo.tatp;

/**
 * The settings of TATP.
 *
 * @param subscribers how many, at least 1
 * @param uniform whether all subscribers are drawn equally often, against the specification
 * @param nativeApi whether the transactions are key operations instead of SQL
 * @param counters whether to count round trips, verbs and bytes
 * @param seed of all random inputs
 */
record TatpSettings(
    int subscribers, boolean uniform, boolean nativeApi, boolean counters, long seed) {
  /** The smallest population the specification knows. */
  static final int SUBSCRIBERS_SPEC = 100_000;
}
