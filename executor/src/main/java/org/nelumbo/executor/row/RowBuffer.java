package org.nelumbo.executor.row;

/**
 * A row image (normalised primary key, then the row) in some byte array: a view or an own copy, as
 * the method that filled it says. Reused; not thread-safe.
 */
public final class RowBuffer {
  public byte[] bytes;
  public int offset;
  public int length;

  /** The array that copies go to; views do not touch it. */
  private byte[] own = new byte[0];

  public RowBuffer() {
    this.bytes = own;
  }

  /** Makes this a view of {@code source}. */
  public void wrap(byte[] source, int sourceOffset, int sourceLength) {
    this.bytes = source;
    this.offset = sourceOffset;
    this.length = sourceLength;
  }

  /** Makes this show what {@code other} shows. */
  public void wrap(RowBuffer other) {
    wrap(other.bytes, other.offset, other.length);
  }

  /** Makes this an own array of that length, content undefined. */
  public void reset(int newLength) {
    if (own.length < newLength) {
      own = new byte[Math.max(newLength, own.length * 2)];
    }
    wrap(own, 0, newLength);
  }

  /** Makes this an own copy of {@code source}. */
  public void copy(byte[] source, int sourceOffset, int sourceLength) {
    reset(sourceLength);
    System.arraycopy(source, sourceOffset, bytes, 0, sourceLength);
  }
}
