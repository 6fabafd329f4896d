package org.nelumbo.parser.ast;

/** The behavior of a locking query when a row is locked by another transaction. */
public enum LockWait {
  /** Follows the conflict policy of the connection. */
  DEFAULT,
  /** NOWAIT: fails immediately. */
  NOWAIT,
  /** SKIP LOCKED: skips the row. */
  SKIP_LOCKED
}
