package org.nelumbo.simulation.scale;

import java.util.SortedMap;

/**
 * The result of a run.
 *
 * @param types sums over the transactions of each type
 * @param conflicts transactions that were retried
 * @param nanos measured virtual time, nanoseconds
 * @param recovery phases of the recovery of failed compute nodes; null if none has failed
 * @param cards share of the measured time for which the card of each memory node was busy
 * @param processors the same for the processors of all compute nodes, on average; 0 if there are
 *     none
 * @param verbs verbs by transaction type; null if they were not counted
 */
record ScaleResult(
    SortedMap<String, TypeTotals> types,
    long conflicts,
    long nanos,
    Recovery recovery,
    double[] cards,
    double processors,
    VerbLedger verbs) {
  /**
   * Virtual nanoseconds of each phase, from the end of the previous one.
   *
   * @param detected from the failure until memory nodes refuse the first failed compute node
   * @param dealt until all shards have owners again
   * @param full until the others reach 95 % of the throughput that they had before; -1 if they did
   *     not reach it before the end
   */
  record Recovery(long detected, long dealt, long full) {}

  TypeTotals all() {
    TypeTotals all = new TypeTotals();
    types.values().forEach(all::add);
    return all;
  }

  /** Returns the commits per second of virtual time. */
  double throughput() {
    return all().commits * 1e9 / nanos;
  }

  double conflictShare() {
    long commits = all().commits;
    return conflicts == 0 ? 0 : (double) conflicts / (conflicts + commits);
  }
}
