package org.nelumbo.executor.row;

/**
 * A row image (the normalized primary key, then the rest of the row) in a byte array. It is either
 * a view of another array or a copy in an array of its own, depending on the method that filled it.
 * Reusable; not thread-safe.
 */
public final class RowBuffer {
  public byte[] bytes;
  public int offset;
  public int length;

  /** Array for copies; views do not modify it. */
  private byte[] own = new byte[0];

  public RowBuffer() {
    this.bytes = own;
  }

  /** Makes this buffer a view of {@code source}. */
  public void wrap(byte[] source, int sourceOffset, int sourceLength) {
    this.bytes = source;
    this.offset = sourceOffset;
    this.length = sourceLength;
  }

  /** Makes this buffer a view of the bytes of {@code other}. */
  public void wrap(RowBuffer other) {
    wrap(other.bytes, other.offset, other.length);
  }

  /** Makes this buffer an array of its own with the given length and undefined content. */
  public void reset(int newLength) {
    if (own.length < newLength) {
      own = new byte[Math.max(newLength, own.length * 2)];
    }
    wrap(own, 0, newLength);
  }

  /** Copies {@code source} into an array of its own. */
  public void copy(byte[] source, int sourceOffset, int sourceLength) {
    reset(sourceLength);
    System.arraycopy(source, sourceOffset, bytes, 0, sourceLength);
  }
}
