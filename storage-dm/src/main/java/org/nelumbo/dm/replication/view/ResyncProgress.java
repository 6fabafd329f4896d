package org.nelumbo.dm.replication.view;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Progress of filling a memory node, slot by slot. The fill position of a slot moves only while the
 * stripes of the range that it passes are locked. So while the stripes of an address are locked, it
 * does not change whether writes to the address also go to the node.
 */
public final class ResyncProgress {
  private static final long WHOLE = Long.MAX_VALUE;
  private static final double NANOS_A_SECOND = 1e9;
  private final AtomicLongArray filled;

  private final AtomicLongArray wanted;

  /** Bytes of each slot that are backed by memory. Only for the filling thread. */
  private final long[] reserved;

  private volatile long copiedBytes;
  private volatile long nanos;

  public ResyncProgress(int slots) {
    filled = new AtomicLongArray(slots);
    wanted = new AtomicLongArray(slots);
    reserved = new long[slots];
  }

  /** Returns true if a write at this offset of a slot also has to go to the node. */
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

  /** Records the number of bytes that were copied or found equal, and the time this took. */
  public void measure(long bytes, long inNanos) {
    nanos = inNanos;
    copiedBytes = bytes;
  }

  /** Returns the number of bytes copied per second so far, or 0 if it is unknown. */
  long bytesPerSecond() {
    long time = nanos;
    return time <= 0 ? 0 : (long) (copiedBytes / (time / NANOS_A_SECOND));
  }

  /** Returns the number of bytes that remain to be copied. */
  long leftBytes(MissedWrites missed) {
    long sum = 0;
    for (int slot = 0; slot < wanted.length(); slot++) {
      if (!isFinished(slot)) {
        sum += missed.markedBytes(slot, wanted.get(slot));
      }
    }
    return sum;
  }

  /** Returns the number of bytes to fill in all slots, as far as known. */
  public long wantedBytes() {
    long sum = 0;
    for (int slot = 0; slot < wanted.length(); slot++) {
      sum += wanted.get(slot);
    }
    return sum;
  }

  /** Returns the number of filled bytes in all slots, at most those wanted. */
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

  /** Marks a slot as complete: from now on all writes to the slot also go to the node. */
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
