package org.nelumbo.planner.catalog;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.outcome.CancellationToken;

/**
 * The metadata lock of a table: transactions share it, a change of the definition has it
 * exclusively.
 *
 * <p>A transaction acquires the lock of each table it touches and releases all of them when it
 * ends; a schema change closes the lock, waits until no session holds it, works, and unlocks it.
 * Acquiring costs a store and a load and touches no line that other sessions write: the session
 * notes the lock in its own {@link HeldMetadataLocks}, then looks whether it is closed; a schema
 * change closes it, then looks into what all sessions hold. One of the two always sees the other.
 *
 * <p><b>No cycle.</b> A transaction that holds a row may come to a lock that a schema change has
 * closed, while the change waits for a transaction that waits for the row. So who is in the middle
 * of a transaction waits only for {@value #PATIENCE_NANOS} ns while the change is draining the
 * lock, and then comes in; the change waits for it, too. When nobody is left the change takes the
 * lock for itself, then looks once more, since somebody may have come in meanwhile; from then on
 * everybody waits for the change, which waits for nobody that holds the lock.
 */
public final class MetadataLock {
  /** How long who is in the middle of a transaction waits for a change that still waits. */
  static final long PATIENCE_NANOS = 50_000_000;

  private static final int SHARED = 0;

  /** A schema change waits until nobody holds the lock. */
  private static final int DRAINING = 1;

  /** A schema change has the lock. */
  private static final int EXCLUSIVE = 2;

  private final Environment environment;
  private volatile int state = SHARED;

  MetadataLock(Environment environment) {
    this.environment = environment;
  }

  /**
   * Whether a session that has noted the lock has it.
   *
   * @param first before a schema change that is still draining the lock
   */
  boolean admits(boolean first) {
    int now = state;
    return now == SHARED || (now == DRAINING && first);
  }

  /**
   * Makes the lock exclusive and waits until no session holds it.
   *
   * @param stop ends the wait when it is set
   * @return false if a session still did when the wait was over; the lock is shared again then, and
   *     also if something is thrown
   */
  public boolean lockExclusively(
      Iterable<HeldMetadataLocks> sessions, long timeoutNanos, CancellationToken stop) {
    boolean locked = false;
    try {
      locked = drainAndClose(sessions, timeoutNanos, stop);
    } finally {
      if (!locked) {
        state = SHARED;
      }
    }
    return locked;
  }

  private boolean drainAndClose(
      Iterable<HeldMetadataLocks> sessions, long timeoutNanos, CancellationToken stop) {
    long start = environment.nanoTime();
    while (true) {
      drain();
      for (HeldMetadataLocks session : sessions) {
        for (int attempt = 0; session.holds(this); attempt++) {
          if (environment.nanoTime() - start > timeoutNanos || stop.isSet()) {
            return false;
          }
          environment.backoff(attempt);
        }
      }
      close();
      if (isFree(sessions)) {
        return true;
      }
    }
  }

  /** Has sessions wait that come, but those that others may wait for. */
  void drain() {
    state = DRAINING;
  }

  /** Has all sessions wait that come. */
  void close() {
    state = EXCLUSIVE;
  }

  /** Whether no session holds it; that stays so if it was closed before. */
  boolean isFree(Iterable<HeldMetadataLocks> sessions) {
    for (HeldMetadataLocks session : sessions) {
      if (session.holds(this)) {
        return false;
      }
    }
    return true;
  }

  /** Ends the exclusive lock. */
  public void unlock() {
    state = SHARED;
  }

  /**
   * Waits for the end of a schema change; false if it did not come in time, or the waiter is to
   * stop.
   *
   * @param inTransaction the wait also ends, well, while the change itself still waits
   */
  boolean await(long timeoutNanos, boolean inTransaction, CancellationToken stop) {
    long start = environment.nanoTime();
    for (int attempt = 0; ; attempt++) {
      int now = state;
      long waited = environment.nanoTime() - start;
      if (now == SHARED || (inTransaction && comesIn(now, waited))) {
        return true;
      }
      if (waited > timeoutNanos || stop.isSet()) {
        return false;
      }
      environment.backoff(attempt);
    }
  }

  /** Whether a transaction in progress has waited long enough for a change that still waits. */
  private static boolean comesIn(int state, long waited) {
    return state == DRAINING && waited > PATIENCE_NANOS;
  }
}
