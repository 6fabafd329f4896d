package org.nelumbo.parser.ast;

/** What becomes of the values that an INSERT gives for identity columns. */
public enum Overriding {
  /** OVERRIDING SYSTEM VALUE: they are taken, even if the column is GENERATED ALWAYS. */
  SYSTEM_VALUE,
  /** OVERRIDING USER VALUE: numbers of the columns are taken instead. */
  USER_VALUE
}
