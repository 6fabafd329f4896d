package org.nelumbo.executor.lock;

import java.util.List;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.session.ConflictPolicy;

/**
 * The locks of one transaction after another, by key: the interface between a locking protocol and
 * the transaction, its scans and its indexes. A lock key is a LOTUS key, the hash of a unique
 * value, or the address of an index leaf. For the thread of the transaction, except where any
 * thread is mentioned.
 *
 * <p>Only one subclass is loaded in a process, so calls cost as little as calls of a final class.
 */
public abstract class KeyLocks {
  // The transaction.

  /** Begins a transaction, which holds no lock. */
  public abstract void begin(long priority, ConflictPolicy policy, long timeoutNanos);

  /**
   * Makes the transaction visible to compute nodes that have joined since it began, so that they
   * can request its end. Must be called at the beginning of each statement.
   */
  public abstract void meetOthers();

  /**
   * Keeps the locks until the transaction ends. Returns OK, or CONFLICT if one of them was revoked
   * together with the shard of the compute node that granted it. Must be called before the first
   * change of the pool that the locks protect. A transaction that has only read under locks must
   * call it before its end is acknowledged.
   */
  public abstract Outcome hold();

  /**
   * Returns true if a lock was revoked, or if other compute nodes wait for the end of the
   * transaction. Any thread may call this.
   */
  public abstract boolean mustEnd();

  /**
   * Returns true if the transaction's statement has to stop, see {@link RemoteLocks#isOverdue}. Any
   * thread may call this.
   */
  public abstract boolean isOverdue();

  /** Fails the transaction, since other compute nodes wait for its end. Returns CONFLICT. */
  public abstract Outcome giveWay();

  /** Returns true if a lock was revoked; reads of the transaction are meaningless then. */
  public abstract boolean isRevoked();

  /**
   * Releases every lock.
   *
   * @throws IllegalStateException if an exception has ended a request half way, or has left locks
   *     in mode INSERT: a lock without a holder may remain
   */
  public abstract void releaseAll();

  /**
   * Waits until the lock that the ended transaction was refused has no older holder or waiter, for
   * a limited time: a retry that begins earlier is refused again by the same holder. Returns at
   * once if the last request did not fail by a conflict with another transaction.
   */
  public abstract void awaitOlder();

  // Locks.

  /**
   * Acquires the lock, or upgrades the lock held, unless that is strong enough. Returns OK,
   * CONFLICT or CANCELLED.
   */
  public abstract Outcome acquire(long key, LockMode mode);

  /**
   * Does the same as {@link #acquire} without waiting for another transaction. Returns NOT_FOUND if
   * another transaction holds the lock, which is then no failure.
   */
  public abstract Outcome acquireNow(long key, LockMode mode);

  /** Sets whether {@link #acquire} fails instead of waiting, until the transaction ends. */
  public abstract void setNoWait(boolean noWait);

  /** See {@link #setNoWait}. */
  public abstract boolean isNoWait();

  /** Hints that the lock is going to be acquired. */
  public abstract void prefetch(long key);

  /** Releases the last lock that was acquired, whose protection was not used. */
  public abstract void giveBackLast();

  /**
   * Returns true if other compute nodes may own locks, so that {@link #acquireAhead} saves
   * messages.
   */
  public abstract boolean isShared();

  /**
   * Acquires those of the locks that other compute nodes own, with one message for each owner and
   * {@value LockBatch#LOCKS_MAX} locks, so that {@link #acquire} finds them held. A lock that is
   * held is left as it is. Returns OK, CONFLICT or CANCELLED.
   */
  public abstract Outcome acquireAhead(long[] keys, int count, LockMode mode);

  /**
   * Adds a lock for {@link #finishAhead}, and acquires the added locks if they fill a message. For
   * callers that have no array of keys. If a lock is added twice, the first mode counts.
   */
  public abstract Outcome addAhead(long key, LockMode mode);

  /** See {@link #addAhead}. */
  public abstract Outcome finishAhead();

  /**
   * Acquires several locks in mode INSERT until {@link #exitInserts}, with one message for each
   * remote owner. A lock that is held for reading becomes a write lock, and stays.
   *
   * @param keys all different; keys of the locks that were acquired in mode INSERT are moved to the
   *     front
   * @return the number of those keys; -1 after a {@link #failure}, when none is acquired
   */
  public abstract int enterInserts(long[] keys, int count);

  /** Releases the locks that {@link #enterInserts} has acquired. */
  public abstract void exitInserts(long[] keys, int count);

  /** Returns the guard by which ordered indexes lock their leaves for the transaction. */
  public abstract LeafGuard leafGuard();

  // What is held.

  /** Returns true if the transaction holds the lock, in any mode. */
  public abstract boolean holds(long key);

  /** Returns true if the transaction holds the lock in that mode. */
  public abstract boolean holds(long key, LockMode mode);

  /** Returns true if the transaction holds the lock under exactly this key. */
  public abstract boolean holdsKey(long key);

  /** Returns the number of locks held, without insert locks, which are released early. */
  public abstract int count();

  /** Returns true if another transaction may be writing the row, since it may hold the lock. */
  public abstract boolean mayBeWritten(long key);

  /** Records the address of the row of the last lock acquired. */
  public abstract void setRowAddress(long cvt);

  /**
   * Returns the address of the row of the last lock acquired, as recorded here or as sent by the
   * compute node that granted the lock; 0 if it is unknown.
   */
  public abstract long rowAddress();

  /**
   * Returns the address of the row of a lock, see {@link #rowAddress()}; 0 if the lock is not held.
   */
  public abstract long rowAddress(long key);

  /** Returns true while the transaction waits for a lock. Any thread may call this. */
  public abstract boolean isWaiting();

  /** Returns the numbers of lock requests so far. */
  public abstract LockCounts counts();

  /**
   * Returns the locks held, and the lock that is waited for. Any thread may call this, see {@link
   * LockSet}.
   */
  public abstract List<LockState> states();

  // The last failure.

  /** Returns the status with which the last request failed; OK if none has. */
  public abstract Outcome failure();

  /** Returns true if the last request failed because the lock timeout expired. */
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
   * @param rowKey LOTUS key of the requested row; 0 if there is none
   * @param row description of that row
   * @param other description of the other locks that the operation needs; null if unknown
   */
  public abstract String describeFailure(long rowKey, String row, String other);
}
