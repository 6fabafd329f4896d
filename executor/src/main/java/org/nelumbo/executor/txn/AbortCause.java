package org.nelumbo.executor.txn;

/** The reason why a transaction was rolled back. */
public enum AbortCause {
  /** An older transaction held a lock, or was ahead in the queue for it. */
  LOCK,
  /** A wait for a lock exceeded the lock timeout. */
  LOCK_TIMEOUT,
  /** Another transaction changed a row after this transaction's snapshot. */
  CHANGED_SINCE_SNAPSHOT,
  /** The snapshot was older than the versions that are kept. */
  SNAPSHOT_TOO_OLD,
  /** The pool was full. */
  POOL_FULL,
  /** The statement was cancelled or exceeded its time limit. */
  CANCELLED,
  /** The caller requested the rollback, or another failure caused it. */
  OTHER
}
