package org.nelumbo.executor.row;

/**
 * Makes the keys of a secondary index's entries from row images: the index columns, then the
 * normalised primary key as it is. Immutable, thread-safe.
 */
public final class IndexKeyEncoder {
  private final RowLayout layout;
  private final int[] columns;
  private final KeyFormat format;

  public IndexKeyEncoder(TableSchema table, IndexSchema index) {
    this(new RowLayout(table), index);
  }

  public IndexKeyEncoder(RowLayout layout, IndexSchema index) {
    this.layout = layout;
    this.columns = index.columns();
    ColumnType[] types = new ColumnType[columns.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = layout.type(columns[i]);
    }
    this.format = new KeyFormat(types, index.descending());
  }

  /** Types and directions of the index columns (without the primary key that follows them). */
  public KeyFormat format() {
    return format;
  }

  /** Bytes that an entry's key takes at most; very many if a column's length is not limited. */
  public long longest() {
    return format.longest() + layout.keyFormat().longest();
  }

  /**
   * Makes the key of the row's entry.
   *
   * @return length of the index columns' part; the primary key follows it
   */
  public int build(byte[] image, int offset, KeyBuffer key) {
    key.clear();
    int body = layout.bodyOffset(image, offset);
    for (int i = 0; i < columns.length; i++) {
      append(image, offset, body, i, key);
    }
    int prefix = key.length;
    key.append(image, offset, body - offset);
    return prefix;
  }

  /** See {@link #build(byte[], int, KeyBuffer)}. */
  public int build(RowBuffer row, KeyBuffer key) {
    return build(row.bytes, row.offset, key);
  }

  private void append(byte[] image, int offset, int body, int position, KeyBuffer key) {
    int column = columns[position];
    ColumnType type = layout.type(column);
    boolean descending = format.isDescending(position);
    int keyPosition = layout.keyPosition(column);
    if (keyPosition >= 0) {
      appendKeyColumn(image, offset, keyPosition, descending, key);
    } else if (layout.isNull(image, offset, column)) {
      KeyEncoder.appendNull(key, descending);
    } else if (layout.isVariable(column)) {
      appendVariable(image, body, column, descending, key);
    } else if (type.isLong()) {
      format.appendLong(key, position, layout.getLong(image, offset, column));
    } else {
      appendWide(image, body, column, descending, key);
    }
  }

  private void appendKeyColumn(
      byte[] image, int offset, int keyPosition, boolean descending, KeyBuffer key) {
    int from = layout.keyColumnOffset(image, offset, keyPosition);
    int to = layout.keyFormat().skip(image, from, keyPosition);
    int start = key.length;
    key.append(image, from, to - from);
    complementIf(descending, key, start);
  }

  private void appendVariable(
      byte[] image, int body, int column, boolean descending, KeyBuffer key) {
    int number = layout.position(column);
    int from = layout.variableStart(image, body, number);
    int length = layout.variableEnd(image, body, number, from) - from;
    int start = key.length;
    if (layout.type(column).nullable()) {
      KeyEncoder.appendValueMarker(key, false);
    }
    KeyEncoder.appendEscaped(key, image, from, length);
    complementIf(descending, key, start);
  }

  private void appendWide(byte[] image, int body, int column, boolean descending, KeyBuffer key) {
    int start = key.length;
    if (layout.type(column).nullable()) {
      KeyEncoder.appendValueMarker(key, false);
    }
    key.append(image, body + layout.position(column), layout.type(column).fixedWidth());
    complementIf(descending, key, start);
  }

  private static void complementIf(boolean descending, KeyBuffer key, int start) {
    if (descending) {
      KeyEncoder.complement(key.bytes, start, key.length);
    }
  }

  /** Whether one of the row's index columns is NULL: then a unique index does not apply to it. */
  public boolean hasNull(byte[] image, int offset) {
    for (int column : columns) {
      if (layout.isNull(image, offset, column)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an entry's key belongs to the row: the row is still found under it. */
  public boolean matches(
      byte[] entry, int entryOffset, int entryLength, RowBuffer row, KeyBuffer scratch) {
    build(row, scratch);
    return java.util.Arrays.equals(
        entry, entryOffset, entryOffset + entryLength, scratch.bytes, 0, scratch.length);
  }

  /**
   * The LOTUS key of the row that an entry's key belongs to: it ends with the row's primary key.
   */
  public long lotusKey(byte[] entry, int offset, int length) {
    int prefix = prefixLength(entry, offset);
    if (length - prefix < layout.leastKeyBytes()) {
      throw DamagedRow.because("an entry of an index ends within its key");
    }
    return layout.lotusKey(entry, offset + prefix, length - prefix);
  }

  /** Length of the index columns' part of an entry's key. */
  public int prefixLength(byte[] entry, int offset) {
    return format.prefixEnd(entry, offset, columns.length) - offset;
  }
}
