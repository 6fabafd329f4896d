package org.nelumbo.planner.catalog;

import org.nelumbo.dm.env.Environment;

/**
 * The metadata lock of a table: transactions share it, a change of the definition has it
 * exclusively.
 *
 * <p>A transaction acquires the lock of each table it touches and releases all of them when it
 * ends; a schema change makes the lock exclusive, waits until no session holds it, works, and
 * unlocks it. Acquiring costs a store and a load and touches no line that other sessions write: the
 * session notes the lock in its own {@link HeldMetadataLocks}, then looks whether it is exclusive;
 * a schema change makes it exclusive, then looks into what all sessions hold. One of the two always
 * sees the other.
 */
public final class MetadataLock {
  private static final long POLL_NANOS = 100_000;

  private final Environment environment;
  private volatile boolean exclusive;

  MetadataLock(Environment environment) {
    this.environment = environment;
  }

  /** Whether a schema change is in progress or about to begin. */
  boolean isExclusive() {
    return exclusive;
  }

  /**
   * Makes the lock exclusive and waits until no session holds it.
   *
   * @return false if a session still did when the time was over; the lock is free again then
   */
  public boolean lockExclusively(Iterable<HeldMetadataLocks> sessions, long timeoutNanos) {
    long start = environment.nanoTime();
    exclusive = true;
    for (HeldMetadataLocks session : sessions) {
      while (session.holds(this)) {
        if (environment.nanoTime() - start > timeoutNanos) {
          exclusive = false;
          return false;
        }
        environment.parkNanos(POLL_NANOS);
      }
    }
    return true;
  }

  /** Ends the exclusive lock. */
  public void unlock() {
    exclusive = false;
  }

  /** Waits for the end of an exclusive lock; false if it did not come in time. */
  boolean awaitUnlocked(long timeoutNanos) {
    long start = environment.nanoTime();
    while (exclusive) {
      if (environment.nanoTime() - start > timeoutNanos) {
        return false;
      }
      environment.parkNanos(POLL_NANOS);
    }
    return true;
  }
}
