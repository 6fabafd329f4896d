package org.nelumbo.executor.txn;

/** Why a transaction was rolled back. */
public enum AbortCause {
  /** An older transaction held a lock, or stood before it in line for it. */
  LOCK,
  /** Others held a lock for longer than the lock timeout. */
  LOCK_TIMEOUT,
  /** A row was changed since the transaction's snapshot. */
  CHANGED_SINCE_SNAPSHOT,
  /** The snapshot was older than what is kept. */
  SNAPSHOT_TOO_OLD,
  /** The pool was full. */
  POOL_FULL,
  /** The statement was cancelled, or ran out of time. */
  CANCELLED,
  /** Whoever ran it wanted it so, or something else has failed. */
  OTHER
}
