package org.nelumbo.database;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Rows;

/**
 * Rows in memory, which can be read in any order. Scrollable result sets, metadata, generated keys
 * and explanations are read from one, and what is left of a result when its transaction ends. A
 * value that could not be computed is kept as the {@link NelumboException} to throw when it is
 * read.
 */
public final class BufferedRows implements Rows {
  private static final int RESERVED_AHEAD = 16 << 10;
  private static final int ROW_BYTES = 32;
  private static final int LONG_BYTES = 16;

  private final List<Object[]> rows;
  private int position = -1;

  /**
   * Rows.
   *
   * @param rows of each row its raw values, Long for long types, null for NULL, or errors
   */
  public BufferedRows(List<Object[]> rows) {
    this.rows = rows;
  }

  /** Copies all rows. */
  public static BufferedRows of(Rows source, List<ResultColumn> columns) {
    return new BufferedRows(read(source, columns));
  }

  /** All rows as arrays; a value is a Long or an object, null for NULL. */
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

  /** About how much memory a row takes. */
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

  /** Index of the current row; -1 before the first, {@link #size} after the last. */
  public int position() {
    return position;
  }

  /**
   * Goes to a row, or before the first or after the last.
   *
   * @return whether there is a row
   */
  public boolean moveTo(int index) {
    position = Math.clamp(index, -1, rows.size());
    return position >= 0 && position < rows.size();
  }

  /** The raw values of the current row. */
  public Object[] current() {
    return rows.get(position);
  }

  /** Puts other values in the place of the current row. */
  public void replace(Object[] row) {
    rows.set(position, row);
  }

  /** Takes the current row out, and goes to the one before it. */
  public void remove() {
    rows.remove(position--);
  }

  /** Puts a row after the last; the current row stays. */
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
