package org.nelumbo.executor.row;

import org.nelumbo.types.ColumnType;

/** Column types and directions of a composite normalized key. Immutable. */
public final class KeyFormat {
  private final ColumnType[] types;
  private final boolean[] descending;

  KeyFormat(ColumnType[] types, boolean[] descending) {
    this.types = types;
    this.descending = descending;
  }

  /** Returns the number of columns. */
  public int size() {
    return types.length;
  }

  /**
   * Returns the maximum length of a key in bytes; very large if the length of a column is
   * unlimited.
   */
  public long longest() {
    long bytes = 0;
    for (ColumnType type : types) {
      bytes += KeyEncoder.longest(type);
    }
    return bytes;
  }

  public ColumnType type(int position) {
    return types[position];
  }

  public boolean isDescending(int position) {
    return descending[position];
  }

  /** Appends a column's value, which must be in the range of the type, see {@link Ranges#fits}. */
  public void appendLong(KeyBuffer key, int position, long raw) {
    KeyEncoder.appendLong(key, types[position], descending[position], raw);
  }

  /** Appends a column's value of an object type. */
  public void appendObject(KeyBuffer key, int position, Object raw) {
    KeyEncoder.appendObject(key, types[position], descending[position], raw);
  }

  /** Appends NULL for a nullable column. */
  public void appendNull(KeyBuffer key, int position) {
    KeyEncoder.appendNull(key, descending[position]);
  }

  /** Returns the end index of the column at {@code position}, which starts at index {@code at}. */
  public int skip(byte[] bytes, int at, int position) {
    return KeyEncoder.skip(bytes, at, types[position], descending[position]);
  }

  /** Returns true if a key consists of exactly one value, or NULL, for each column. */
  boolean isComplete(KeyBuffer key) {
    int at = 0;
    for (int i = 0; i < types.length; i++) {
      if (at >= key.length) {
        return false;
      }
      at = KeyEncoder.skipWithin(key, at, types[i], descending[i]);
    }
    return at == key.length;
  }

  /**
   * Returns the end index of the columns in a key that may be shortened, but at most {@code limit}.
   */
  int prefixEnd(KeyBuffer key, int limit) {
    int at = 0;
    for (int i = 0; i < types.length && at < limit; i++) {
      at = KeyEncoder.skipWithin(key, at, types[i], descending[i]);
    }
    return Math.min(at, limit);
  }

  /**
   * Returns the end index of the first {@code columns} columns of the key that starts at {@code
   * offset}. Fails with XX001 if the array ends before the last of them begins.
   */
  int prefixEnd(byte[] bytes, int offset, int columns) {
    int at = offset;
    for (int i = 0; i < columns; i++) {
      if (at >= bytes.length) {
        throw DamagedRow.because("it ends within its key");
      }
      at = skip(bytes, at, i);
    }
    return at;
  }
}
