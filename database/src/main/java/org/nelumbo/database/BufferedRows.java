package org.nelumbo.database;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;

/**
 * Rows in memory with random access. They hold scrollable results, metadata, generated keys,
 * explanations, and the rest of a result whose transaction has ended. A value that could not be
 * computed is stored as the {@link NelumboException} to throw when the value is read.
 */
public final class BufferedRows implements Rows {
  private static final int RESERVED_AHEAD = 16 << 10;
  private static final int ROW_BYTES = 32;
  private static final int LONG_BYTES = 16;

  private final List<Object[]> rows;
  private int position = -1;

  /**
   * Creates rows from raw values.
   *
   * @param rows raw values of each row: Long for long types, null for NULL, or exceptions
   */
  public BufferedRows(List<Object[]> rows) {
    this.rows = rows;
  }

  /** Copies all rows. */
  public static BufferedRows of(Rows source, List<ResultColumn> columns) {
    return new BufferedRows(read(source, columns));
  }

  /** Reads all rows into arrays; a value is a Long or an object, null for NULL. */
  public static List<Object[]> read(Rows source, List<ResultColumn> columns) {
    List<Object[]> copy = new ArrayList<>();
    long bytes = 0;
    long reserved = 0;
    while (source.next()) {
      Object[] row = new Object[columns.size()];
      for (int i = 0; i < row.length; i++) {
        if (!source.isNull(i)) {
          row[i] = columns.get(i).type().isLong() ? (Object) source.longAt(i) : source.objectAt(i);
        }
      }
      copy.add(row);
      bytes += bytesOf(row);
      if (bytes > reserved) {
        reserved = bytes + Math.max(RESERVED_AHEAD, bytes / 8);
        source.reserve(reserved);
      }
    }
    return copy;
  }

  /** Returns the approximate memory size of a row. */
  public static long bytesOf(Object[] row) {
    long bytes = ROW_BYTES + 8L * row.length;
    for (Object value : row) {
      bytes += value instanceof Long ? LONG_BYTES : MaterializedRows.bytesOf(value);
    }
    return bytes;
  }

  public int size() {
    return rows.size();
  }

  /** Returns the index of the current row; -1 before the first, {@link #size} after the last. */
  public int position() {
    return position;
  }

  /**
   * Moves to a row, or before the first or after the last one.
   *
   * @return true if there is a row at the index
   */
  public boolean moveTo(int index) {
    position = Math.clamp(index, -1, rows.size());
    return position >= 0 && position < rows.size();
  }

  /** Returns the raw values of the current row. */
  public Object[] current() {
    return rows.get(position);
  }

  /** Replaces the values of the current row. */
  public void replace(Object[] row) {
    rows.set(position, row);
  }

  /** Removes the current row and moves to the preceding one. */
  public void remove() {
    rows.remove(position--);
  }

  /** Appends a row; the current row stays the same. */
  public void append(Object[] row) {
    rows.add(row);
  }

  @Override
  public boolean next() {
    return moveTo(position + 1);
  }

  private Object value(int column) {
    Object value = rows.get(position)[column];
    if (value instanceof NelumboException failure) {
      throw failure;
    }
    return value;
  }

  @Override
  public boolean isNull(int column) {
    return value(column) == null;
  }

  @Override
  public long longAt(int column) {
    return (Long) value(column);
  }

  @Override
  public Object objectAt(int column) {
    Object value = value(column);
    return value instanceof byte[] bytes ? Arrays.copyOf(bytes, bytes.length) : value;
  }
}
