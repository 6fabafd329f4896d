package org.nelumbo.dm.replication.view;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Progress of filling a memory node, slot by slot. A mark moves only while the stripes of what it
 * passes are locked. So while the stripes of an address are locked, it does not change whether the
 * node has a copy of that address.
 */
public final class ResyncProgress {
  private static final long WHOLE = Long.MAX_VALUE;
  private static final double NANOS_A_SECOND = 1e9;
  private final AtomicLongArray filled;

  /** Bytes to fill of each slot, as far as is known. */
  private final AtomicLongArray wanted;

  /** Bytes of each slot that have memory behind them. For whoever fills. */
  private final long[] reserved;

  private volatile long copiedBytes;
  private volatile long nanos;

  public ResyncProgress(int slots) {
    filled = new AtomicLongArray(slots);
    wanted = new AtomicLongArray(slots);
    reserved = new long[slots];
  }

  /** Whether what is written at that offset of a slot has to be written here, too. */
  boolean covers(int slot, long offset) {
    return offset < filled.get(slot);
  }

  public long filled(int slot) {
    return filled.get(slot);
  }

  public long wanted(int slot) {
    return wanted.get(slot);
  }

  public void want(int slot, long bytes) {
    wanted.set(slot, bytes);
  }

  public long reserved(int slot) {
    return reserved[slot];
  }

  public void reserve(int slot, long to) {
    reserved[slot] = to;
  }

  /** Notes what was copied, or found to be there, in which time. */
  public void measure(long bytes, long inNanos) {
    nanos = inNanos;
    copiedBytes = bytes;
  }

  /** Bytes copied in a second so far; 0 if that is not known. */
  long bytesPerSecond() {
    long time = nanos;
    return time <= 0 ? 0 : (long) (copiedBytes / (time / NANOS_A_SECOND));
  }

  /** Bytes that are to be copied still. */
  long leftBytes(MissedWrites missed) {
    long sum = 0;
    for (int slot = 0; slot < wanted.length(); slot++) {
      if (!isFinished(slot)) {
        sum += missed.markedBytes(slot, wanted.get(slot));
      }
    }
    return sum;
  }

  /** Bytes of all slots that there are to fill, as far as is known. */
  public long wantedBytes() {
    long sum = 0;
    for (int slot = 0; slot < wanted.length(); slot++) {
      sum += wanted.get(slot);
    }
    return sum;
  }

  /** Bytes of all slots that are filled, at most those wanted. */
  public long filledBytes() {
    long sum = 0;
    for (int slot = 0; slot < filled.length(); slot++) {
      sum += Math.min(filled.get(slot), wanted.get(slot));
    }
    return sum;
  }

  public void advance(int slot, long to) {
    assert to >= filled.get(slot) : "slot=" + slot + " to=" + to;
    filled.set(slot, to);
  }

  /** Marks a slot as whole: everything written from now on is written here, too. */
  public void finish(int slot) {
    filled.set(slot, WHOLE);
  }

  public boolean isFinished(int slot) {
    return filled.get(slot) == WHOLE;
  }

  public boolean isFinished() {
    for (int slot = 0; slot < filled.length(); slot++) {
      if (!isFinished(slot)) {
        return false;
      }
    }
    return true;
  }
}
