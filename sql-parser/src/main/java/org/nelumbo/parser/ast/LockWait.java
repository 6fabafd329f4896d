package org.nelumbo.parser.ast;

/** The choices of a locking query when a row is locked by another transaction. */
public enum LockWait {
  /** As the connection's conflict policy says. */
  DEFAULT,
  /** NOWAIT: fail at once. */
  NOWAIT,
  /** SKIP LOCKED: leave the row out. */
  SKIP_LOCKED
}
