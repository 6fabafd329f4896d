package org.nelumbo.executor.row;

/**
 * A row image (normalised primary key, then the row) in some byte array: a view or an own copy, as
 * the method that filled it says. Reused; not thread-safe.
 */
public final class RowBuffer {
  public byte[] bytes;
  public int offset;
  public int length;

  public RowBuffer() {
    this.bytes = new byte[0];
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
}
