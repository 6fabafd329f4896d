package org.nelumbo.dm.pool;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counters of verbs by kind, bytes in each direction, and round trips: the cost of a transaction
 * that does not depend on hardware.
 *
 * <p>Bytes in: 1 for each byte read, 8 for a CAS or FAA (the old value). Bytes out: 1 for each byte
 * written, 16 for a CAS (both values), 8 for an FAA. A flush with at least one verb is a round
 * trip.
 *
 * <p>One thread adds; any thread may read, and sees a recent value of each counter.
 */
public final class FabricCounters {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int READS = 0;
  private static final int WRITES = 1;
  private static final int CAS = 2;
  private static final int FAA = 3;
  private static final int BYTES_IN = 4;
  private static final int BYTES_OUT = 5;
  private static final int ROUND_TRIPS = 6;
  private static final int COUNTS = 7;

  private final long[] counts = new long[COUNTS];

  public long reads() {
    return get(READS);
  }

  public long writes() {
    return get(WRITES);
  }

  public long compareAndSwaps() {
    return get(CAS);
  }

  public long fetchAndAdds() {
    return get(FAA);
  }

  public long verbs() {
    return reads() + writes() + compareAndSwaps() + fetchAndAdds();
  }

  public long bytesIn() {
    return get(BYTES_IN);
  }

  public long bytesOut() {
    return get(BYTES_OUT);
  }

  public long roundTrips() {
    return get(ROUND_TRIPS);
  }

  void countRead(int bytes) {
    add(READS, 1);
    add(BYTES_IN, bytes);
  }

  void countWrite(int bytes) {
    add(WRITES, 1);
    add(BYTES_OUT, bytes);
  }

  void countCompareAndSwap() {
    add(CAS, 1);
    add(BYTES_IN, 8);
    add(BYTES_OUT, 16);
  }

  void countFetchAndAdd() {
    add(FAA, 1);
    add(BYTES_IN, 8);
    add(BYTES_OUT, 8);
  }

  void countRoundTrip() {
    add(ROUND_TRIPS, 1);
  }

  /** Returns a copy that no longer changes. */
  public FabricCounters snapshot() {
    FabricCounters copy = new FabricCounters();
    copy.addAll(this);
    return copy;
  }

  /** Adds the counts of {@code other} to this. */
  public void addAll(FabricCounters other) {
    for (int i = 0; i < COUNTS; i++) {
      add(i, other.get(i));
    }
  }

  /** Returns the difference to {@code earlier}, an older snapshot of these counters. */
  public FabricCounters since(FabricCounters earlier) {
    FabricCounters difference = snapshot();
    for (int i = 0; i < COUNTS; i++) {
      difference.add(i, -earlier.get(i));
    }
    return difference;
  }

  private long get(int what) {
    return (long) COUNT.getOpaque(counts, what);
  }

  private void add(int what, long by) {
    COUNT.setOpaque(counts, what, counts[what] + by);
  }

  @Override
  public String toString() {
    return "reads="
        + reads()
        + " writes="
        + writes()
        + " cas="
        + compareAndSwaps()
        + " faa="
        + fetchAndAdds()
        + " bytesIn="
        + bytesIn()
        + " bytesOut="
        + bytesOut()
        + " roundTrips="
        + roundTrips();
  }
}
