package org.nelumbo.jdbc.result;

import java.sql.ResultSet;

/** Types of result sets. */
public enum ResultSetType {
  /** Rows are streamed once, from the first to the last. */
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

  /** Returns true if rows may be read in any order. */
  boolean scrolls() {
    return code == ResultSet.TYPE_SCROLL_INSENSITIVE;
  }

  /** Returns true if rows may be changed, provided that the query allows it. */
  boolean updatable() {
    return updatable;
  }

  /** Returns the concurrency constant of {@link ResultSet}. */
  public int concurrency() {
    return updatable ? ResultSet.CONCUR_UPDATABLE : ResultSet.CONCUR_READ_ONLY;
  }

  /** Returns the type constant of {@link ResultSet}. */
  public int code() {
    return code;
  }
}
