package org.nelumbo.jdbc;

import java.sql.ResultSet;

/** Types of result sets. */
enum ResultSetType {
  /** Rows are read once, from the first to the last, as they come. */
  FORWARD_ONLY(ResultSet.TYPE_FORWARD_ONLY),

  /** Rows are read in any order, from a copy. */
  SCROLL_INSENSITIVE(ResultSet.TYPE_SCROLL_INSENSITIVE);

  private final int code;

  ResultSetType(int code) {
    this.code = code;
  }

  /** The constant of {@link ResultSet}. */
  int code() {
    return code;
  }
}
