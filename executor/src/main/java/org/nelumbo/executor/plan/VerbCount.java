package org.nelumbo.executor.plan;

import org.nelumbo.dm.pool.FabricCounters;

/**
 * A sum of the round trips, verbs and bytes between {@link #start} and {@link #stop}. All counts
 * are 0 if the channel does not count. Not thread-safe.
 */
public final class VerbCount {
  private FabricCounters counters;
  private long roundTrips;
  private long verbs;
  private long bytes;

  /**
   * Starts counting.
   *
   * @param live counters of the channel, or null if it has none
   */
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

  /** Returns true if the channel counts. */
  public boolean isCounted() {
    return counters != null;
  }

  public long roundTrips() {
    return roundTrips;
  }

  public long verbs() {
    return verbs;
  }

  /** Returns the number of bytes read and written. */
  public long bytes() {
    return bytes;
  }

  /**
   * Returns the counts as EXPLAIN ANALYZE shows them, preceded by a blank; empty if the channel
   * does not count.
   */
  @Override
  public String toString() {
    return counters == null
        ? ""
        : " round-trips=" + roundTrips + " verbs=" + verbs + " bytes=" + bytes;
  }
}
