package org.nelumbo.executor.row;

import java.util.Arrays;

/** A normalised key in an own, growing array, and its LOTUS key. Reused; not thread-safe. */
public final class KeyBuffer {
  private static final int INITIAL_BYTES = 64;

  public byte[] bytes;
  public int length;

  /** LOTUS key of a complete primary key, see {@link RowLayout#finishKey}; undefined otherwise. */
  public long lotusKey;

  public KeyBuffer() {
    this.bytes = new byte[INITIAL_BYTES];
  }

  /** Empties the key. */
  public void clear() {
    length = 0;
    lotusKey = 0;
  }

  /** Makes room for that many more bytes. */
  public void ensure(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }

  /** Appends bytes as they are. */
  public void append(byte[] source, int offset, int count) {
    ensure(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }

  /** Becomes a copy of {@code other}. */
  public void copyFrom(KeyBuffer other) {
    length = 0;
    append(other.bytes, 0, other.length);
    lotusKey = other.lotusKey;
  }
}
