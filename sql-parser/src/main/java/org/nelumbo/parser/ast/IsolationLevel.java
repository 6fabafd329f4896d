package org.nelumbo.parser.ast;

/** Isolation levels in SQL. */
public enum IsolationLevel {
  READ_UNCOMMITTED,
  READ_COMMITTED,
  REPEATABLE_READ,
  SNAPSHOT,
  SERIALIZABLE;

  /** Returns the level as written in SQL. */
  public String sql() {
    return name().replace('_', ' ');
  }
}
