package org.nelumbo.executor.lock;

import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.session.ConflictPolicy;

/**
 * Locks of one transaction that other compute nodes keep, and which ones these are. For the thread
 * of the transaction.
 */
public interface RemoteLocks {
  /** Operation that turns a read lock, which is held, into a write lock. */
  byte UPGRADE = 4;

  /** Returns the mode in which a lock is held after an operation. */
  static LockMode mode(byte operation) {
    return operation == UPGRADE ? LockMode.WRITE : LockMode.of(operation);
  }

  /** A transaction begins. */
  void begin(long priority);

  /** Whether the lock table of this compute node decides on a lock. */
  boolean isLocal(long key);

  /**
   * Called when the lock table of this compute node has granted a lock: false if it no longer
   * decides on it, and the lock has to be given back unused.
   */
  boolean confirmLocal(long key);

  /** Whether another compute node has granted the lock. */
  boolean holds(long key);

  /** Whether any lock of another compute node is held. */
  boolean holdsAny();

  /**
   * Asks for locks, all owners at a time, and waits for their answers.
   *
   * @param operations the code of a mode, or {@link #UPGRADE}, for each key
   * @param count of the keys; none is held, but for those to upgrade
   * @param alone nothing is held at all, and one lock is asked for: it may be waited for whatever
   *     the ages
   * @return GRANTED, DIE, CANCELLED or TIMED_OUT; NOT_OWNER if some of the locks are this compute
   *     node's own by now, and the others are held
   */
  LockResult acquire(
      long[] keys,
      byte[] operations,
      int count,
      ConflictPolicy policy,
      boolean alone,
      long timeoutNanos,
      CancellationToken token);

  /**
   * Waits until no older transaction has the lock or waits for it, this compute node decides on it,
   * or the time is over. For a transaction that has ended.
   */
  void awaitOlder(long key, long timeoutNanos, CancellationToken token);

  /**
   * Where the CVT of the row of the i-th lock of the last request lies, if that is held and its
   * granter knows; else 0. A hint, since two primary keys may share a lock.
   */
  long rowAddress(int i);

  /** Gives back a lock, if another compute node has granted it; returns whether. */
  boolean release(long key);

  /** Returns false if the compute node that kept a lock has failed, and no other one keeps it. */
  boolean hasKeeper(long key);

  /** Priority of who was in the way of the last request, 0 if that is not known. */
  long holder();

  /**
   * From now on nobody gets what the transaction has locked before it has ended: false if a lock
   * that it relies on was taken away.
   */
  boolean hold();

  /**
   * Whether a lock was taken away, or somebody waits for the end of the transaction, which holds on
   * to what it has: it takes no more locks.
   */
  boolean mustEnd();

  /**
   * Returns true if the transaction has to stop what it does: a lock was taken away, or somebody
   * has waited for its end for too long. Any thread may ask.
   */
  boolean isOverdue();

  /** Whether anybody may have a lock for writing: true also if that cannot be found out. */
  boolean mayBeWriteLocked(long key);

  /** Whether a lock that the transaction relies on was taken away. */
  boolean isDoomed();

  /** The transaction has ended: gives back all its locks of other compute nodes. */
  void end();
}
