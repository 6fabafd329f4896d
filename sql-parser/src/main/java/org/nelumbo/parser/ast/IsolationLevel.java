package org.nelumbo.parser.ast;

/** Isolation levels as written in SQL. */
public enum IsolationLevel {
  READ_UNCOMMITTED,
  READ_COMMITTED,
  REPEATABLE_READ,
  SNAPSHOT,
  SERIALIZABLE;

  /** As it is written in SQL. */
  public String sql() {
    return name().replace('_', ' ');
  }
}
