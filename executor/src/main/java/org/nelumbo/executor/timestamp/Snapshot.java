package org.nelumbo.executor.timestamp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
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

  /** Makes this the snapshot of all commits up to a timestamp. */
  public void set(long timestamp) {
    low = timestamp;
    newest = timestamp;
    slotCount = 0;
  }

  /** Makes this a copy of another snapshot. */
  public void set(Snapshot other) {
    low = other.low;
    newest = other.newest;
    ensureSlots(other.slotCount);
    System.arraycopy(other.slots, 0, slots, 0, slotCount);
  }

  /** Makes this the snapshot of a vector, of which the staging buffer has a copy. */
  public void setVector(MemorySegment staging, long offset, int count) {
    ensureSlots(count);
    MemorySegment.copy(staging, ValueLayout.JAVA_LONG, offset, slots, 0, count);
    low = CommitVector.low(slots, count);
    newest = CommitVector.newest(slots, count);
  }

  private void ensureSlots(int count) {
    if (slots.length < count) {
      slots = Arrays.copyOf(slots, Math.max(count, 8));
    }
    slotCount = count;
  }

  /** Returns true if the snapshot contains a version that has a timestamp. */
  public boolean sees(long version) {
    return version <= low || seesBySlot(version);
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
