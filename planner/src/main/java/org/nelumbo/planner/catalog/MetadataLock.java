package org.nelumbo.planner.catalog;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.outcome.CancellationToken;

/**
 * The metadata lock of a table, shared by transactions and exclusive for a change of the
 * definition.
 *
 * <p>A transaction acquires the lock of each table that it uses and releases all of them when it
 * ends. A schema change:
 *
 * <ol>
 *   <li>drains the lock: new requests wait,
 *   <li>waits until no session holds the lock,
 *   <li>makes the lock exclusive and changes the table,
 *   <li>unlocks the lock.
 * </ol>
 *
 * <p>Acquiring costs one store and one load, and writes no cache line that other sessions write.
 * The session records the lock in its own {@link HeldMetadataLocks}, then checks the state of the
 * lock. A schema change sets the state, then checks the locks of all sessions. At least one of the
 * two sees the other.
 *
 * <p><b>Deadlock avoidance.</b> A transaction that holds a row may request a lock that a schema
 * change is draining, while the schema change waits for a transaction that waits for the row. So a
 * session in the middle of a transaction waits only {@value #PATIENCE_NANOS} ns for a draining
 * lock. Then it acquires the lock, and the schema change waits for it, too. When no session holds
 * the lock, the schema change makes it exclusive and checks all sessions again, because one may
 * have acquired it in between. From then on all sessions wait for the schema change, which waits
 * for no holder of the lock.
 */
public final class MetadataLock {
  /**
   * Maximum wait of a session in the middle of a transaction for a schema change that is draining
   * the lock.
   */
  static final long PATIENCE_NANOS = 50_000_000;

  private static final int SHARED = 0;

  /** A schema change waits until no session holds the lock. */
  private static final int DRAINING = 1;

  private static final int EXCLUSIVE = 2;

  private final Environment environment;
  private volatile int state = SHARED;

  MetadataLock(Environment environment) {
    this.environment = environment;
  }

  /**
   * Returns true if a session that has recorded the lock holds it.
   *
   * @param first whether the session may pass a schema change that is draining the lock
   */
  boolean admits(boolean first) {
    int now = state;
    return now == SHARED || (now == DRAINING && first);
  }

  /**
   * Makes the lock exclusive and waits until no session holds it. The lock is shared again if this
   * returns false or throws.
   *
   * @param stop ends the wait when it is set
   * @return false if a session still held the lock at the end of the wait
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

  /** Makes new requests wait, except those of sessions for which other transactions may wait. */
  void drain() {
    state = DRAINING;
  }

  /** Makes all new requests wait. */
  void close() {
    state = EXCLUSIVE;
  }

  /** Returns true if no session holds the lock. If the lock is closed, this stays true. */
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
   * Waits for the end of a schema change. Returns false on timeout, or if the session is to stop.
   *
   * @param inTransaction whether the wait also ends, with true, after a short time while the schema
   *     change is draining the lock
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

  /**
   * Returns true if a transaction in progress has waited long enough for a draining schema change.
   */
  private static boolean comesIn(int state, long waited) {
    return state == DRAINING && waited > PATIENCE_NANOS;
  }
}
