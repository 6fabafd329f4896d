package org.nelumbo.executor.row;

import java.util.Arrays;

/**
 * A normalized key in a growing array of its own, with its LOTUS key. Reusable; not thread-safe.
 */
public final class KeyBuffer {
  private static final int INITIAL_BYTES = 64;

  public byte[] bytes;
  public int length;

  /** LOTUS key of a complete primary key, see {@link RowLayout#finishKey}; undefined otherwise. */
  public long lotusKey;

  public KeyBuffer() {
    this.bytes = new byte[INITIAL_BYTES];
  }

  /** Sets the length and the LOTUS key to 0. */
  public void clear() {
    length = 0;
    lotusKey = 0;
  }

  /** Ensures capacity for {@code more} additional bytes. */
  public void ensure(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }

  /** Appends bytes without encoding them. */
  public void append(byte[] source, int offset, int count) {
    ensure(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Copies the key and the LOTUS key of {@code other}. */
  public void copyFrom(KeyBuffer other) {
    length = 0;
    append(other.bytes, 0, other.length);
    lotusKey = other.lotusKey;
  }
}
