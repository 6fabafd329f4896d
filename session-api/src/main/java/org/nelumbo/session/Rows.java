package org.nelumbo.session;

/**
 * A forward-only cursor over rows. Values are raw values, see {@code org.nelumbo.types.Kind}.
 * Columns are numbered from 0. Not thread-safe.
 */
public interface Rows {
  /** Moves to the next row and returns true, or returns false after the last row. */
  boolean next();

  /** Returns true if a column of the current row is NULL. */
  boolean isNull(int column);

  /** Returns the raw value of a column of a {@code long} type; undefined if it is NULL. */
  long longAt(int column);

  /**
   * Reserves memory for copies of rows that the caller keeps. Fails with 53200 if the limit of the
   * session is exceeded.
   *
   * @param bytes total size of the copies; 0 releases the reservation
   */
  default void reserve(long bytes) {}

  /** Returns the raw value of a column of an object type, or null if it is NULL. */
  Object objectAt(int column);
}
