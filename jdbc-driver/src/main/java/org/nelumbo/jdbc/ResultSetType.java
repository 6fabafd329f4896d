package org.nelumbo.jdbc;

import java.sql.ResultSet;

/** The types of result sets there are. */
enum ResultSetType {
  /** Read once from the first row to the last, as the rows come. */
  FORWARD_ONLY(ResultSet.TYPE_FORWARD_ONLY),

  /** Read in any order, from a copy. */
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
