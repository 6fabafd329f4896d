package org.nelumbo.simulation.scale;

import java.util.SortedMap;

/**
 * What a run has come to.
 *
 * @param types sums over the transactions of each type
 * @param conflicts transactions that were tried again
 * @param nanos of virtual time
 * @param recovery from the death of compute nodes on; null if none has died
 */
record ScaleResult(
    SortedMap<String, TypeTotals> types, long conflicts, long nanos, Recovery recovery) {
  /**
   * Virtual nanoseconds, each from the moment before.
   *
   * @param detected from the death until memory nodes refuse the first of the dead
   * @param dealt until all shards have owners again
   * @param full until the others commit at least 95 of 100 transactions that they did before; -1 if
   *     they did not until the end
   */
  record Recovery(long detected, long dealt, long full) {}

  TypeTotals all() {
    TypeTotals all = new TypeTotals();
    types.values().forEach(all::add);
    return all;
  }

  /** Commits in a second of virtual time. */
  double throughput() {
    return all().commits * 1e9 / nanos;
  }

  double conflictShare() {
    long commits = all().commits;
    return conflicts == 0 ? 0 : (double) conflicts / (conflicts + commits);
  }
}
