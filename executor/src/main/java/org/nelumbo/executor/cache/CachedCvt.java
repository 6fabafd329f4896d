package org.nelumbo.executor.cache;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongUnaryOperator;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * An entry of the CVT cache: the address of a CVT, which never changes, and possibly a copy of it.
 * Immutable, except for a mark of whether it was requested, which need not be exact.
 */
public final class CachedCvt {
  private final int storeId;
  private final long lotusKey;
  private final long address;
  private final long[] words;
  private final boolean invalidated;
  private boolean touched;

  private CachedCvt(int storeId, long lotusKey, long address, long[] words, boolean invalidated) {
    this.storeId = storeId;
    this.lotusKey = lotusKey;
    this.address = address;
    this.words = words;
    this.invalidated = invalidated;
  }

  /** Returns an entry with a copy of a CVT in a staging buffer. */
  static CachedCvt copy(long lotusKey, long address, MemorySegment staging, int offset, int bytes) {
    long[] words = new long[bytes / Long.BYTES];
    MemorySegment.copy(staging, ValueLayout.JAVA_LONG, offset, words, 0, words.length);
    return new CachedCvt(CvtLayout.storeId(staging, offset), lotusKey, address, words, false);
  }

  /** Returns an entry with the address only. */
  static CachedCvt at(int storeId, long lotusKey, long address) {
    return new CachedCvt(storeId, lotusKey, address, null, true);
  }

  /** Returns an entry with a CVT whose cells are all free. */
  static CachedCvt empty(int storeId, long lotusKey, long address, int cells, int blockClass) {
    long[] words = new long[CvtLayout.bytes(cells) / Long.BYTES];
    CvtLayout.writeEmpty(MemorySegment.ofArray(words), 0, lotusKey, storeId, cells, blockClass);
    return new CachedCvt(storeId, lotusKey, address, words, true);
  }

  int storeId() {
    return storeId;
  }

  long lotusKey() {
    return lotusKey;
  }

  /** Marks the entry as requested. */
  void touch() {
    if (!touched) {
      touched = true;
    }
  }

  boolean isTouched() {
    return touched;
  }

  void clearTouched() {
    touched = false;
  }

  /** Returns the address of the CVT in the pool. */
  public long address() {
    return address;
  }

  /** Returns true if there is a readable copy, and not only an address. */
  public boolean isReadable() {
    return !invalidated && words != null;
  }

  /** Copies the CVT into a staging buffer. */
  public void copyTo(MemorySegment staging, int offset) {
    MemorySegment.copy(words, 0, staging, ValueLayout.JAVA_LONG, offset, words.length);
  }

  /**
   * Returns an unreadable copy, for the time of a write of the CVT. If a write was in progress
   * already, its result is unknown, and only the address is kept.
   */
  CachedCvt invalidated() {
    return new CachedCvt(storeId, lotusKey, address, invalidated ? null : words, true);
  }

  /** Returns an entry with the address only. */
  CachedCvt withoutCopy() {
    return words == null ? this : at(storeId, lotusKey, address);
  }

  /** Returns the entry after a write that replaced one cell and possibly the overflow pointer. */
  CachedCvt withCell(int cell, long word0, long word1, long overflow) {
    if (words == null) {
      return this;
    }
    long[] changed = words.clone();
    int at = CvtLayout.cellOffset(cell) / Long.BYTES;
    changed[at] = word0;
    changed[at + 1] = word1;
    changed[CvtLayout.OVERFLOW_OFFSET / Long.BYTES] = overflow;
    return new CachedCvt(storeId, lotusKey, address, changed, false);
  }

  /**
   * Compares the copy with the pool.
   *
   * @param pool returns the word at an address of the pool
   * @throws IllegalStateException if they differ
   */
  void verify(LongUnaryOperator pool) {
    for (int i = 0; i < words.length; i++) {
      long held = pool.applyAsLong(address + (long) i * Long.BYTES);
      if (words[i] != held) {
        throw new IllegalStateException(
            "copy of a CVT differs from the pool lotusKey="
                + Long.toHexString(lotusKey)
                + " address="
                + PoolAddress.toString(address)
                + " word="
                + i
                + " copy="
                + Long.toHexString(words[i])
                + " pool="
                + Long.toHexString(held));
      }
    }
  }
}
