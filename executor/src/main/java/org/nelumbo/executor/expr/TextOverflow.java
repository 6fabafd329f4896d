package org.nelumbo.executor.expr;

/** The treatment of text or binary values that are longer than the target type of a cast. */
enum TextOverflow {
  /** Truncates the value, as CAST does. */
  TRUNCATE,
  /** Keeps the value, for the row writer to reject. */
  KEEP
}
