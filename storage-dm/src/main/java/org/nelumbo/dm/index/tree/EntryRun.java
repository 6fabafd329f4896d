package org.nelumbo.dm.index.tree;

import static org.nelumbo.dm.layout.TreeNodeLayout.KEY_LENGTH_MAX;

import java.util.Arrays;

/**
 * Entries to be inserted into one index, see {@link OrderedIndex#insertAll}; keys are copied.
 * Reusable. Not thread-safe.
 */
public final class EntryRun {
  private byte[][] keys = new byte[16][];
  private int[] lengths = new int[16];
  private long[] values = new long[16];
  private byte[] results = new byte[16];
  private int size;

  /** Index of the entry to be inserted next. */
  int next;

  private boolean keepsPresent;

  public void clear() {
    size = 0;
    next = 0;
    keepsPresent = false;
  }

  /**
   * Leaves entries as they are whose keys are present; the result of such an entry is PRESENT. By
   * default, they get the new addresses.
   */
  public void keepPresent() {
    keepsPresent = true;
  }

  boolean keepsPresent() {
    return keepsPresent;
  }

  public int size() {
    return size;
  }

  /**
   * Adds an entry.
   *
   * @throws IllegalArgumentException if the key is longer than {@link OrderedIndex#KEY_LENGTH_MAX}
   */
  public void add(byte[] key, int length, long cvt) {
    if (length > KEY_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "index key too long bytes=" + length + " limit=" + KEY_LENGTH_MAX);
    }
    if (size == keys.length) {
      lengths = Arrays.copyOf(lengths, size * 2);
      values = Arrays.copyOf(values, size * 2);
      results = Arrays.copyOf(results, size * 2);
      // The last one, since its length decides whether all have grown.
      keys = Arrays.copyOf(keys, size * 2);
    }
    if (keys[size] == null || keys[size].length < length) {
      keys[size] = new byte[Math.max(length, 32)];
    }
    System.arraycopy(key, 0, keys[size], 0, length);
    lengths[size] = length;
    values[size] = cvt;
    results[size++] = 0;
  }

  /** Returns an array that begins with the key of entry {@code i}. */
  public byte[] key(int i) {
    return keys[i];
  }

  /** Returns the bytes of the key of entry {@code i}. */
  public int length(int i) {
    return lengths[i];
  }

  /** Returns the CVT address of entry {@code i}. */
  public long value(int i) {
    return values[i];
  }

  void setResult(int i, int result) {
    results[i] = (byte) result;
  }

  /**
   * Returns the result of entry {@code i}, a result of {@link OrderedIndex#insert}; 0 if it was not
   * tried.
   */
  public int result(int i) {
    return results[i];
  }
}
