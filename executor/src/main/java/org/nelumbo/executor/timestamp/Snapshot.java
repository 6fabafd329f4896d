package org.nelumbo.executor.timestamp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.nelumbo.dm.superblock.CommitVector;

/**
 * A set of commits whose versions a reader sees: all up to a timestamp or, in a pool with a {@link
 * CommitVector}, those of each compute node up to a timestamp of its own. Reused by its owner from
 * one read to the next. Not thread-safe.
 */
public final class Snapshot {
  private static final long[] NONE = {};

  /** All versions up to here are seen. */
  private long low;

  private long newest;

  /** The words of the vector as they were read. */
  private long[] slots = NONE;

  private int slotCount;

  private boolean isTentative;
  private boolean hasMissed;

  /** Makes this the snapshot of all commits up to a timestamp. */
  public void set(long timestamp) {
    low = timestamp;
    newest = timestamp;
    slotCount = 0;
    setTentative(false);
  }

  /** Makes this a copy of another snapshot. */
  public void set(Snapshot other) {
    low = other.low;
    newest = other.newest;
    ensureSlots(other.slotCount);
    System.arraycopy(other.slots, 0, slots, 0, slotCount);
    setTentative(other.isTentative);
  }

  /** Makes this the snapshot of a vector, of which the staging buffer has a copy. */
  public void setVector(MemorySegment staging, long offset, int count) {
    ensureSlots(count);
    MemorySegment.copy(staging, ValueLayout.JAVA_LONG, offset, slots, 0, count);
    low = CommitVector.low(slots, count);
    newest = CommitVector.newest(slots, count);
    setTentative(false);
  }

  /**
   * Makes this a tentative snapshot: all commits up to the timestamps are visible, but others may
   * be, too. What is read with it is valid if no version was missed ({@link #hasMissed}).
   *
   * @param known words of the vector, each as it was at some time
   * @param lowest a timestamp up to which all versions are visible
   */
  void setTentative(AtomicLongArray known, int count, long lowest) {
    ensureSlots(count);
    low = lowest;
    newest = lowest;
    for (int slot = 0; slot < count; slot++) {
      slots[slot] = known.get(slot);
    }
    setTentative(true);
  }

  private void setTentative(boolean value) {
    isTentative = value;
    hasMissed = false;
  }

  /** Returns true if what is read is valid only unless {@link #hasMissed}. */
  public boolean isTentative() {
    return isTentative;
  }

  /**
   * Returns true if a tentative snapshot has met a version that it does not contain, and that may
   * have been visible when it was made.
   */
  public boolean hasMissed() {
    return hasMissed;
  }

  private void ensureSlots(int count) {
    if (slots.length < count) {
      slots = Arrays.copyOf(slots, Math.max(count, 8));
    }
    slotCount = count;
  }

  /** Returns true if the snapshot contains a version that has a timestamp. */
  public boolean sees(long version) {
    if (version <= low || seesBySlot(version)) {
      return true;
    }
    hasMissed = isTentative;
    return false;
  }

  private boolean seesBySlot(long version) {
    int slot = CommitVector.slot(version);
    return slot < slotCount && version <= CommitVector.timestamp(slots[slot]);
  }

  /** Returns a timestamp up to which all versions are seen. */
  public long low() {
    return low;
  }

  /**
   * Returns the largest timestamp of the snapshot, for comparison with {@link Clock#barrier}: that
   * of a moment before the snapshot is not larger.
   */
  public long newest() {
    return newest;
  }

  /**
   * Returns true if a version without a timestamp may belong to the snapshot, so that a reader has
   * to wait for its timestamp. The transactions of a vector have all their versions in place before
   * a snapshot contains them.
   */
  public boolean awaitsTimestamps() {
    return slotCount == 0;
  }
}
