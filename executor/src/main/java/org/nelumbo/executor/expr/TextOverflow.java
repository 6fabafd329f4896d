package org.nelumbo.executor.expr;

/** The treatment of text or binary that a cast finds longer than the target type. */
enum TextOverflow {
  /** Cuts it off, as CAST does. */
  TRUNCATE,
  /** Leaves it as it is, for the writer of the row to reject. */
  KEEP
}
