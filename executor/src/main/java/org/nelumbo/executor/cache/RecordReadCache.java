package org.nelumbo.executor.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.RecordLayout;

/**
 * Records that a transaction has read and may need again: whoever reads a row often changes it
 * then, and coming statements may have been announced. Where a round trip is expensive no record is
 * read twice. Read-only transactions keep none. Behind it is what the compute node caches for all
 * transactions.
 *
 * <p>A record is found by its address and its version. No two versions of a row are equal, and a
 * record's memory is not used again while anybody may need the version in the cell that points to
 * it; so what was read from that address when the cell had that version is the record for whoever
 * may use it, whether or not a lock was held when it was read. Not thread-safe.
 */
public final class RecordReadCache {
  private static final int BYTES_MAX = 4 << 20;
  private static final int NOWHERE = -1;
  private static final int FIRST_SLOTS = 1 << 8;
  private static final int FIRST_BYTES = 16 << 10;

  private long[] addresses = {};
  private long[] versions = {};
  private int[] offsets = {};

  /** A slot is in use if it has the present number; so forgetting everything is one addition. */
  private int[] uses = {};

  private int use = 1;
  private int size;
  private byte[] bytes = {};
  private int used;

  /** How many want records to be kept. */
  private int users;

  private final RecordCache shared;

  /** Something came from there, and nothing from the pool since. */
  private boolean unconfirmed;

  /**
   * What comes from there is confirmed already: the snapshot is older than an answer of the pool.
   */
  private boolean snapshotConfirmed;

  RecordReadCache(RecordCache shared) {
    this.shared = shared;
  }

  /** Whether no record can be here. */
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

  /** One wants no more; with the last one everything is forgotten. */
  public void release() {
    if (--users == 0) {
      clear();
    }
  }

  /** Whether records are kept. */
  public boolean isOpen() {
    return users > 0;
  }

  /** Keeps a record that lies in the staging buffer, in memory of that many bytes. */
  public void put(long address, long version, MemorySegment staging, int offset, int length) {
    if (shared.isEnabled() && !shared.contains(address, version)) {
      shared.put(address, version, staging, offset, exactLength(staging, offset, length));
    }
    putOwn(address, version, staging, offset, length);
  }

  /** What was read without lock may be anything; nobody uses it then. */
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

  /** Copies a record to the staging buffer if it is here. */
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

  /** Something was told from memory. */
  public void unconfirm() {
    unconfirmed = !snapshotConfirmed;
  }

  /**
   * The pool has answered a reader of a snapshot: until the snapshot was taken nobody else can have
   * changed a row, so nothing that it reads has to be asked for again.
   */
  void confirmSnapshot() {
    unconfirmed = false;
    snapshotConfirmed = true;
  }

  /** The pool has answered: it is still this compute node's. */
  public void confirm() {
    unconfirmed = false;
  }

  /**
   * Whether something came from the compute node's memory, and nobody has asked the pool since
   * whether it is still this compute node's: if not, another one may have changed the row.
   */
  boolean isUnconfirmed() {
    return unconfirmed;
  }

  /** The slot of a record, or the free one where it belongs. */
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

  /** Forgets everything, and keeps nothing until it is opened again. */
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
