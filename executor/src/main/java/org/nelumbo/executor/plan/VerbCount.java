package org.nelumbo.executor.plan;

import org.nelumbo.dm.pool.FabricCounters;

/**
 * A sum of the round trips, verbs and bytes between {@link #start} and {@link #stop}; all are 0 if
 * the channel does not count them. Not thread-safe.
 */
public final class VerbCount {
  private FabricCounters counters;
  private long roundTrips;
  private long verbs;
  private long bytes;

  /** Begins to count; {@code live} are the counters of the channel, null if there are none. */
  public void start(FabricCounters live) {
    counters = live;
    add(-1);
  }

  /** Stops counting. */
  public void stop() {
    add(1);
  }

  private void add(int sign) {
    if (counters != null) {
      roundTrips += sign * counters.roundTrips();
      verbs += sign * counters.verbs();
      bytes += sign * (counters.bytesIn() + counters.bytesOut());
    }
  }

  /** Whether anybody counted. */
  public boolean isCounted() {
    return counters != null;
  }

  public long roundTrips() {
    return roundTrips;
  }

  public long verbs() {
    return verbs;
  }

  /** Read and written. */
  public long bytes() {
    return bytes;
  }

  /** The counts as EXPLAIN ANALYZE shows them, with a blank before it; empty if nobody counted. */
  @Override
  public String toString() {
    return counters == null
        ? ""
        : " round-trips=" + roundTrips + " verbs=" + verbs + " bytes=" + bytes;
  }
}
