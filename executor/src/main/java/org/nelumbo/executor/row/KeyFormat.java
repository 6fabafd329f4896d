package org.nelumbo.executor.row;

import org.nelumbo.types.ColumnType;

/** Column types and directions of a composite normalised key. Immutable. */
public final class KeyFormat {
  private final ColumnType[] types;
  private final boolean[] descending;

  KeyFormat(ColumnType[] types, boolean[] descending) {
    this.types = types;
    this.descending = descending;
  }

  /** Number of columns. */
  public int size() {
    return types.length;
  }

  /** Bytes that a key takes at most; very many if a column's length is not limited. */
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

  /** Appends a column's value; it has to be in the type's range, see {@link Ranges#fits}. */
  public void appendLong(KeyBuffer key, int position, long raw) {
    KeyEncoder.appendLong(key, types[position], descending[position], raw);
  }

  /** Appends a column's value. */
  public void appendObject(KeyBuffer key, int position, Object raw) {
    KeyEncoder.appendObject(key, types[position], descending[position], raw);
  }

  /** Appends NULL to a nullable column. */
  public void appendNull(KeyBuffer key, int position) {
    KeyEncoder.appendNull(key, descending[position]);
  }

  /** Where the column at {@code position}, which starts at {@code at}, ends. */
  public int skip(byte[] bytes, int at, int position) {
    return KeyEncoder.skip(bytes, at, types[position], descending[position]);
  }

  /** Whether a key has a value, or NULL, of each column, and nothing behind. */
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
   * Where all columns of a key end that may have been shortened; {@code limit} if not before it.
   */
  int prefixEnd(KeyBuffer key, int limit) {
    int at = 0;
    for (int i = 0; i < types.length && at < limit; i++) {
      at = KeyEncoder.skipWithin(key, at, types[i], descending[i]);
    }
    return Math.min(at, limit);
  }

  /**
   * Where the first {@code columns} columns of the key that starts at {@code offset} end; XX001 if
   * that is behind the bytes.
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
