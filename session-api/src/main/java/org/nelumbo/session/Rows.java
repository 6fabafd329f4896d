package org.nelumbo.session;

/**
 * Rows, read one after the other; values are raw values as in {@code org.nelumbo.types.ColumnType}.
 * Columns count from 0. One thread at a time.
 */
public interface Rows {
  /** Goes to the next row; false after the last. */
  boolean next();

  boolean isNull(int column);

  /** The raw value of a column whose type is a long type; undefined if it is NULL. */
  long longAt(int column);

  /**
   * Reserves memory for copies of the rows that their reader keeps, so many bytes in all; 0 gives
   * it back. 53200 if the session has not got it.
   */
  default void reserve(long bytes) {}

  /** The value of a column whose type is an object type; null if it is NULL. */
  Object objectAt(int column);
}
