package org.nelumbo.executor.lock;

import java.util.List;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.session.ConflictPolicy;

/**
 * The locks of one transaction after another, by key: what a transaction, its scans and its indexes
 * need of a protocol that locks. A lock key is a LOTUS key, the hash of a unique value, or the
 * address of an index leaf. For the thread of the transaction, except where any thread is
 * mentioned.
 *
 * <p>One subclass is loaded in a process, so calls cost what those of a final class do.
 */
public abstract class KeyLocks {
  // The transaction.

  /** Begins a transaction, which holds no lock. */
  public abstract void begin(long priority, ConflictPolicy policy, long timeoutNanos);

  /**
   * Lets compute nodes that have come since the transaction began request its end. To be called at
   * the beginning of each statement.
   */
  public abstract void meetOthers();

  /**
   * Keeps the locks until the transaction ends: OK, or CONFLICT if one of them was taken away with
   * the compute node that granted it. To be called before anything is changed in the pool that the
   * locks protect, and, by a transaction that has only read under locks, before its end is
   * acknowledged.
   */
  public abstract Outcome hold();

  /**
   * Returns true if a lock was taken away, or if others wait for the end of the transaction; any
   * thread.
   */
  public abstract boolean mustEnd();

  /** Returns true if its statement has to stop, see {@link RemoteLocks#isOverdue}; any thread. */
  public abstract boolean isOverdue();

  /** Fails the transaction, since others wait for its end. Returns CONFLICT. */
  public abstract Outcome giveWay();

  /** Returns true if a lock was taken away: reads of the transaction are meaningless then. */
  public abstract boolean isDoomed();

  /**
   * Gives back every lock.
   *
   * @throws IllegalStateException if a request was left half way: a lock may stay that nobody holds
   */
  public abstract void releaseAll();

  /**
   * Waits until the lock that the ended transaction was refused has no older holder or waiter, for
   * a short time at most: a retry that begins earlier is refused again by the same holder. Returns
   * at once if the last request did not fail by a conflict with another transaction.
   */
  public abstract void awaitOlder();

  // Locks.

  /**
   * Takes the lock, or strengthens the one held, unless it is held strongly enough. Returns OK,
   * CONFLICT or CANCELLED.
   */
  public abstract Outcome acquire(long key, LockMode mode);

  /**
   * {@link #acquire} without waiting for another transaction; NOT_FOUND if it has the lock, which
   * is no failure then.
   */
  public abstract Outcome acquireNow(long key, LockMode mode);

  /** Sets whether {@link #acquire} fails instead of waiting, until the transaction ends. */
  public abstract void setNoWait(boolean noWait);

  /** See {@link #setNoWait}. */
  public abstract boolean isNoWait();

  /** Hints that the lock is going to be acquired. */
  public abstract void prefetch(long key);

  /** Gives back the lock that was taken last: nothing has been made of what it protects. */
  public abstract void giveBackLast();

  /** Returns true if others may keep locks, so that {@link #acquireAhead} saves messages. */
  public abstract boolean isShared();

  /**
   * Takes those of the locks that other compute nodes keep, with one message for each owner and
   * {@value LockBatch#LOCKS_MAX} locks, so that {@link #acquire} finds them held. A lock that is
   * held is left as it is. Returns OK, CONFLICT or CANCELLED.
   */
  public abstract Outcome acquireAhead(long[] keys, int count, LockMode mode);

  /**
   * Adds a lock to those that {@link #finishAhead} takes, or takes these if they are many enough;
   * for callers that have no array of them. The first mode of a lock counts.
   */
  public abstract Outcome addAhead(long key, LockMode mode);

  /** See {@link #addAhead}. */
  public abstract Outcome finishAhead();

  /**
   * Enters several locks as an inserter, {@link #exitInserts} gives them back. Those of other
   * compute nodes take one message for each owner. A lock that is held for reading becomes a write
   * lock, and stays.
   *
   * @param keys all different; those that are entered are put first
   * @return the number of those; -1 after a {@link #failure}: then none is entered
   */
  public abstract int enterInserts(long[] keys, int count);

  /** Gives back the locks that {@link #enterInserts} has taken. */
  public abstract void exitInserts(long[] keys, int count);

  /** Returns the guard by which ordered indexes lock their leaves for the transaction. */
  public abstract LeafGuard leafGuard();

  // What is held.

  /** Returns true if the transaction has the lock, in whatever mode. */
  public abstract boolean holds(long key);

  /** Returns true if the transaction has the lock in that mode. */
  public abstract boolean holds(long key, LockMode mode);

  /** Returns true if the transaction has the lock as that of this very key. */
  public abstract boolean holdsKey(long key);

  /** Returns the number of locks held, without those that are given back after an insert. */
  public abstract int count();

  /** Returns true if another transaction may be writing the row; it would have its lock. */
  public abstract boolean mayBeWritten(long key);

  /** Notes the address of the row of the lock last acquired. */
  public abstract void setRowAddress(long cvt);

  /**
   * Returns the address of the row of the lock last acquired, as it was found or as the granter of
   * the lock says; 0 if it was not looked for.
   */
  public abstract long rowAddress();

  /** Returns the address of the row of a lock, as above; 0 if the lock is not held. */
  public abstract long rowAddress(long key);

  /** Returns true if a lock is being waited for; any thread. */
  public abstract boolean isWaiting();

  /** Returns the number of requests for locks so far. */
  public abstract LockCounts counts();

  /** Returns the locks held, and the one that is waited for; any thread, see {@link LockSet}. */
  public abstract List<LockState> states();

  // The last failure.

  /** Returns the status with which the last request failed; OK if none has. */
  public abstract Outcome failure();

  /** Returns true if the last request failed because the lock timeout was over. */
  public abstract boolean isTimedOut();

  /** Returns the key of the last failed request. */
  public abstract long failedLock();

  /** Describes the last failed request, as far as its lock is known here. */
  public final String describeFailure() {
    return describeFailure(0, null, null);
  }

  /**
   * Describes the last failed request for the error message.
   *
   * @param rowKey LOTUS key of the row that was wanted; 0 if there is none
   * @param row what that row is called
   * @param other what other locks are on that the operation needs; null if that is not known
   */
  public abstract String describeFailure(long rowKey, String row, String other);
}
