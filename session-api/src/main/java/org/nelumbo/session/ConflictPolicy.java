package org.nelumbo.session;

/**
 * The policy for a lock that another transaction holds in a conflicting mode. Deadlocks are
 * impossible under both policies.
 */
public enum ConflictPolicy {
  /** Fails at once, as in LOTUS. */
  NO_WAIT,
  /**
   * Waits, for at most the lock timeout, if the transaction is older than every holder; fails
   * otherwise.
   */
  WAIT_DIE
}
