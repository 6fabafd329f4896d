package org.nelumbo.executor.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.RecordLayout;

/**
 * Records that a transaction has read and may need again: many rows that are read are changed
 * afterwards, and later statements may have been announced. So on a remote fabric no record is read
 * twice. Read-only transactions keep none. Falls back to the records that the compute node caches
 * for all transactions. Not thread-safe.
 *
 * <p>A record is found by its address and its version. No two versions of a row are equal, and the
 * memory of a record is not reused while any transaction may need the version in the cell that
 * points to it. So the data read from that address when the cell had that version is the record for
 * every permitted reader, whether or not a lock was held during the READ.
 */
public final class RecordReadCache {
  private static final int BYTES_MAX = 4 << 20;
  private static final int NOWHERE = -1;
  private static final int FIRST_SLOTS = 1 << 8;
  private static final int FIRST_BYTES = 16 << 10;

  private long[] addresses = {};
  private long[] versions = {};
  private int[] offsets = {};

  /**
   * A slot is in use if it contains the present number, so that clearing everything is one
   * addition.
   */
  private int[] uses = {};

  private int use = 1;
  private int size;
  private byte[] bytes = {};
  private int used;

  private int users;

  private final RecordCache shared;

  /** True if a result came from {@link #shared}, and nothing from the pool since. */
  private boolean unconfirmed;

  /**
   * True if results from {@link #shared} are confirmed: the snapshot is older than a reply of the
   * pool.
   */
  private boolean snapshotConfirmed;

  RecordReadCache(RecordCache shared) {
    this.shared = shared;
  }

  /** Returns true if no record can be found here. */
  public boolean isEmpty() {
    return size == 0 && !shared.isEnabled();
  }

  public boolean contains(long address, long version) {
    return size > 0 && uses[slot(address, version)] == use || shared.contains(address, version);
  }

  /** Keeps records from now on, until {@link #release} was called as often, or {@link #close}. */
  public void open() {
    users++;
  }

  /** Ends one {@link #open}; the last one clears everything. */
  public void release() {
    if (--users == 0) {
      clear();
    }
  }

  /** Returns true if records are kept. */
  public boolean isOpen() {
    return users > 0;
  }

  /**
   * Keeps a record from the staging buffer.
   *
   * @param length size of the record's memory in bytes
   */
  public void put(long address, long version, MemorySegment staging, int offset, int length) {
    if (shared.isEnabled() && !shared.contains(address, version)) {
      shared.put(address, version, staging, offset, exactLength(staging, offset, length));
    }
    putOwn(address, version, staging, offset, length);
  }

  /** The data of an unlocked READ may be arbitrary; the record is not used then. */
  private static int exactLength(MemorySegment staging, int offset, int length) {
    int exact = RecordLayout.length(staging, offset);
    return exact < RecordLayout.KEY_OFFSET || exact > length ? length : exact;
  }

  private void putOwn(long address, long version, MemorySegment staging, int offset, int length) {
    if (users == 0 || (size > 0 && uses[slot(address, version)] == use)) {
      return;
    }
    if (used + length > BYTES_MAX) {
      clear();
    }
    if (2 * size >= addresses.length) {
      grow();
    }
    if (used + length > bytes.length) {
      int larger = Math.max(FIRST_BYTES, Math.max(2 * bytes.length, used + length));
      bytes = Arrays.copyOf(bytes, larger);
    }
    int slot = slot(address, version);
    MemorySegment.copy(staging, ValueLayout.JAVA_BYTE, offset, bytes, used, length);
    enter(slot, address, version, used);
    used += length;
  }

  private void enter(int slot, long address, long version, int offset) {
    addresses[slot] = address;
    versions[slot] = version;
    offsets[slot] = offset;
    uses[slot] = use;
    size++;
  }

  /** Copies a record to the staging buffer; returns false if it is not here. */
  public boolean get(long address, long version, MemorySegment staging, int offset, int length) {
    int slot = size == 0 ? NOWHERE : slot(address, version);
    if (slot == NOWHERE || uses[slot] != use) {
      return getShared(address, version, staging, offset, length);
    }
    MemorySegment.copy(bytes, offsets[slot], staging, ValueLayout.JAVA_BYTE, offset, length);
    return true;
  }

  private boolean getShared(
      long address, long version, MemorySegment staging, int offset, int length) {
    if (!shared.get(address, version, staging, offset, length)) {
      return false;
    }
    unconfirm();
    return true;
  }

  /** Notes that a result came from memory only. */
  public void unconfirm() {
    unconfirmed = !snapshotConfirmed;
  }

  /**
   * Confirms all reads of a snapshot after a reply of the pool: no other compute node can have
   * changed a row before the snapshot was taken, so later results from memory need no confirmation
   * either.
   */
  void confirmSnapshot() {
    unconfirmed = false;
    snapshotConfirmed = true;
  }

  /** Notes a reply of the pool, which proves that this compute node still owns it. */
  public void confirm() {
    unconfirmed = false;
  }

  /**
   * Returns true if a result came from the compute node's memory, and the pool has not replied
   * since. If another compute node has taken the pool over, it may have changed the row.
   */
  boolean isUnconfirmed() {
    return unconfirmed;
  }

  private int slot(long address, long version) {
    int mask = addresses.length - 1;
    int slot = (int) ((address ^ version * 31) * 0x9E3779B97F4A7C15L >>> 40) & mask;
    while (uses[slot] == use && (addresses[slot] != address || versions[slot] != version)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldAddresses = addresses;
    long[] oldVersions = versions;
    int[] oldOffsets = offsets;
    int[] oldUses = uses;
    int slots = Math.max(FIRST_SLOTS, 2 * oldAddresses.length);
    long[] newAddresses = new long[slots];
    long[] newVersions = new long[slots];
    int[] newOffsets = new int[slots];
    uses = new int[slots];
    addresses = newAddresses;
    versions = newVersions;
    offsets = newOffsets;
    size = 0;
    for (int i = 0; i < oldAddresses.length; i++) {
      if (oldUses[i] == use) {
        int slot = slot(oldAddresses[i], oldVersions[i]);
        enter(slot, oldAddresses[i], oldVersions[i], oldOffsets[i]);
      }
    }
  }

  /** Clears everything, and keeps nothing until the next {@link #open}. */
  void close() {
    users = 0;
    unconfirmed = false;
    snapshotConfirmed = false;
    clear();
  }

  private void clear() {
    if (size > 0) {
      use++;
      size = 0;
      used = 0;
    }
  }
}
