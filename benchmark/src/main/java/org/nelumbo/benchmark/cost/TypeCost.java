package org.nelumbo.benchmark.cost;

/**
 * The mean cost of the committed transactions of one type. Only the last attempt, which committed,
 * is counted.
 *
 * @param name name of the type
 * @param transactions number of counted transactions, warm-up included
 * @param roundTrips number of waits for the pool
 * @param reads READ verbs
 * @param writes WRITE verbs
 * @param compareAndSwaps CAS verbs
 * @param fetchAndAdds FAA verbs
 * @param bytesIn bytes from the pool
 * @param bytesOut bytes to the pool
 */
public record TypeCost(
    String name,
    long transactions,
    double roundTrips,
    double reads,
    double writes,
    double compareAndSwaps,
    double fetchAndAdds,
    double bytesIn,
    double bytesOut) {

  static TypeCost mean(String name, long transactions, Cost sum) {
    double count = Math.max(1, transactions);
    return new TypeCost(
        name,
        transactions,
        sum.roundTrips() / count,
        sum.reads() / count,
        sum.writes() / count,
        sum.compareAndSwaps() / count,
        sum.fetchAndAdds() / count,
        sum.bytesIn() / count,
        sum.bytesOut() / count);
  }
}
