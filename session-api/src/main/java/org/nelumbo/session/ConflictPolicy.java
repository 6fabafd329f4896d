package org.nelumbo.session;

/**
 * The policy for a lock that another transaction holds in a conflicting mode. Neither can deadlock.
 */
public enum ConflictPolicy {
  /** Fail at once, as in LOTUS. */
  NO_WAIT,
  /** Wait, for at most the lock timeout, if older than every holder; fail otherwise. */
  WAIT_DIE
}
