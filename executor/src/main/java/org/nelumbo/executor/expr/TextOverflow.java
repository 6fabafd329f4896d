package org.nelumbo.executor.expr;

/** What a cast does with text or binary that is longer than the target type. */
enum TextOverflow {
  /** Cuts it off, as CAST does. */
  TRUNCATE,
  /** Leaves it as it is, for the writer of the row to reject. */
  KEEP
}
