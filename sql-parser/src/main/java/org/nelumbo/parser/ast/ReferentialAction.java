package org.nelumbo.parser.ast;

/** The action on referencing rows when the referenced row goes or changes its key. */
public enum ReferentialAction {
  NO_ACTION,
  RESTRICT,
  CASCADE,
  SET_NULL,
  SET_DEFAULT;

  /** As it is written in SQL. */
  public String sql() {
    return name().replace('_', ' ');
  }
}
