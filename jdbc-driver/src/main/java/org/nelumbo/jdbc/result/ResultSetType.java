package org.nelumbo.jdbc.result;

import java.sql.ResultSet;

/** Types of result sets. */
public enum ResultSetType {
  /** Rows are read once, from the first to the last, as they come. */
  FORWARD_ONLY(ResultSet.TYPE_FORWARD_ONLY, false),

  /** Rows are read in any order, from a copy. */
  SCROLL_INSENSITIVE(ResultSet.TYPE_SCROLL_INSENSITIVE, false),

  /** Rows are read once from a copy, and may be changed. */
  FORWARD_ONLY_UPDATABLE(ResultSet.TYPE_FORWARD_ONLY, true),

  /** Rows are read in any order from a copy, and may be changed. */
  SCROLL_INSENSITIVE_UPDATABLE(ResultSet.TYPE_SCROLL_INSENSITIVE, true);

  private final int code;
  private final boolean updatable;

  ResultSetType(int code, boolean updatable) {
    this.code = code;
    this.updatable = updatable;
  }

  public static ResultSetType of(boolean scrolls, boolean updatable) {
    if (updatable) {
      return scrolls ? SCROLL_INSENSITIVE_UPDATABLE : FORWARD_ONLY_UPDATABLE;
    }
    return scrolls ? SCROLL_INSENSITIVE : FORWARD_ONLY;
  }

  /** Whether rows may be read in any order. */
  boolean scrolls() {
    return code == ResultSet.TYPE_SCROLL_INSENSITIVE;
  }

  /** Whether rows may be changed, if the query allows that. */
  boolean updatable() {
    return updatable;
  }

  /** The constant of {@link ResultSet} that says whether rows may be changed. */
  public int concurrency() {
    return updatable ? ResultSet.CONCUR_UPDATABLE : ResultSet.CONCUR_READ_ONLY;
  }

  /** The constant of {@link ResultSet}. */
  public int code() {
    return code;
  }
}
