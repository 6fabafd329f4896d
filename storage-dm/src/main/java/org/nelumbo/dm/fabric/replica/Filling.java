package org.nelumbo.dm.fabric.replica;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How far a memory node has been filled, slot by slot. A mark moves only while whoever moves it
 * holds the stripes of what it passes; so for whoever holds the stripes of an address, whether the
 * node has a copy of it does not change.
 */
final class Filling {
  private static final long WHOLE = Long.MAX_VALUE;
  private final AtomicLongArray filled;

  /** By slot, how much there is to fill, as far as is known. */
  private final AtomicLongArray wanted;

  /** By slot, how much has memory behind it. For whoever fills. */
  private final long[] reserved;

  Filling(int copies) {
    filled = new AtomicLongArray(copies);
    wanted = new AtomicLongArray(copies);
    reserved = new long[copies];
  }

  /** Whether what is written at that offset of a slot has to be written here, too. */
  boolean covers(int copy, long offset) {
    return offset < filled.get(copy);
  }

  long filled(int copy) {
    return filled.get(copy);
  }

  long wanted(int copy) {
    return wanted.get(copy);
  }

  void want(int copy, long bytes) {
    wanted.set(copy, bytes);
  }

  long reserved(int copy) {
    return reserved[copy];
  }

  void reserve(int copy, long to) {
    reserved[copy] = to;
  }

  /** Bytes of all slots that there are to fill, as far as is known. */
  long wantedBytes() {
    long sum = 0;
    for (int copy = 0; copy < wanted.length(); copy++) {
      sum += wanted.get(copy);
    }
    return sum;
  }

  /** Bytes of all slots that are filled, at most those wanted. */
  long filledBytes() {
    long sum = 0;
    for (int copy = 0; copy < filled.length(); copy++) {
      sum += Math.min(filled.get(copy), wanted.get(copy));
    }
    return sum;
  }

  void advance(int copy, long to) {
    filled.set(copy, to);
  }

  /** Everything that will ever be written belongs here, from now on. */
  void finish(int copy) {
    filled.set(copy, WHOLE);
  }

  boolean isFinished(int copy) {
    return filled.get(copy) == WHOLE;
  }

  boolean isFinished() {
    for (int copy = 0; copy < filled.length(); copy++) {
      if (!isFinished(copy)) {
        return false;
      }
    }
    return true;
  }
}
