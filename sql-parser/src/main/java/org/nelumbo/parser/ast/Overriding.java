package org.nelumbo.parser.ast;

/** The treatment of values that an INSERT supplies for identity columns. */
public enum Overriding {
  /** OVERRIDING SYSTEM VALUE: supplied values are used, even if the column is GENERATED ALWAYS. */
  SYSTEM_VALUE,
  /** OVERRIDING USER VALUE: generated numbers are used instead. */
  USER_VALUE
}
