package org.nelumbo.parser.ast;

/** The action on referencing rows when the referenced row is deleted or its key changes. */
public enum ReferentialAction {
  NO_ACTION,
  RESTRICT,
  CASCADE,
  SET_NULL,
  SET_DEFAULT;

  /** Returns the action as written in SQL. */
  public String sql() {
    return name().replace('_', ' ');
  }
}
