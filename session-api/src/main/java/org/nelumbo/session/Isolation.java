package org.nelumbo.session;

/** Isolation levels (LOTUS section 5.2). Read-only transactions read a snapshot at either level. */
public enum Isolation {
  /**
   * Strict two-phase locking with phantom protection for read-write transactions. Executions are
   * equivalent to a serial order that respects real time.
   */
  SERIALIZABLE,
  /**
   * Reads at the start timestamp without locks. A write fails if the row has changed since the
   * start timestamp (first committer wins).
   */
  SNAPSHOT
}
