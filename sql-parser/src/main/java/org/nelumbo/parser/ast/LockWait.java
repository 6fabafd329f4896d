package org.nelumbo.parser.ast;

/** What a locking query does when a row is locked by another transaction. */
public enum LockWait {
  /** As the connection's conflict policy says. */
  DEFAULT,
  /** NOWAIT: fail at once. */
  NOWAIT,
  /** SKIP LOCKED: leave the row out. */
  SKIP_LOCKED
}
