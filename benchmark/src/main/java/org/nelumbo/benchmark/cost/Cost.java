package org.nelumbo.benchmark.cost;

/**
 * The verbs, bytes and round trips of requests to a memory pool.
 *
 * @param roundTrips number of waits for the pool
 * @param reads READ verbs
 * @param writes WRITE verbs
 * @param compareAndSwaps CAS verbs
 * @param fetchAndAdds FAA verbs
 * @param bytesIn bytes from the pool
 * @param bytesOut bytes to the pool
 */
public record Cost(
    long roundTrips,
    long reads,
    long writes,
    long compareAndSwaps,
    long fetchAndAdds,
    long bytesIn,
    long bytesOut) {

  static final Cost NONE = new Cost(0, 0, 0, 0, 0, 0, 0);

  Cost plus(Cost other) {
    return new Cost(
        roundTrips + other.roundTrips,
        reads + other.reads,
        writes + other.writes,
        compareAndSwaps + other.compareAndSwaps,
        fetchAndAdds + other.fetchAndAdds,
        bytesIn + other.bytesIn,
        bytesOut + other.bytesOut);
  }

  Cost minus(Cost other) {
    return new Cost(
        roundTrips - other.roundTrips,
        reads - other.reads,
        writes - other.writes,
        compareAndSwaps - other.compareAndSwaps,
        fetchAndAdds - other.fetchAndAdds,
        bytesIn - other.bytesIn,
        bytesOut - other.bytesOut);
  }
}
