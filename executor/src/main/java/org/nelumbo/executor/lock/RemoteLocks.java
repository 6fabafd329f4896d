package org.nelumbo.executor.lock;

import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.session.ConflictPolicy;

/**
 * The locks of one transaction on shards that other compute nodes own. For the thread of the
 * transaction.
 */
public interface RemoteLocks {
  /** Operation that turns a held read lock into a write lock. */
  byte UPGRADE = 4;

  /** Returns the mode in which a lock is held after an operation. */
  static LockMode mode(byte operation) {
    return operation == UPGRADE ? LockMode.WRITE : LockMode.of(operation);
  }

  /** Begins a transaction. */
  void begin(long priority);

  /** Returns true if this compute node owns the lock, so that its lock table decides. */
  boolean isLocal(long key);

  /**
   * Checks a lock that the lock table of this compute node has just granted. Returns false if this
   * node no longer owns the lock, which then has to be released unused.
   */
  boolean confirmLocal(long key);

  /** Returns true if the lock is held and was granted by another compute node. */
  boolean holds(long key);

  /** Returns true if any lock is held that another compute node granted. */
  boolean holdsAny();

  /**
   * Requests locks from all owners at a time, and waits for their replies.
   *
   * @param operations for each key the code of a mode, or {@link #UPGRADE}
   * @param count number of keys; none of the locks is held, except those to be upgraded
   * @param alone true if the only requested lock may be waited for whatever the ages: the
   *     transaction holds no other one, or the lock is the change lock of a leaf
   * @return GRANTED, DIE, CANCELLED or TIMED_OUT; NOT_OWNER if this compute node has become the
   *     owner of some of the locks, and the others are held
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
   * Waits until no older transaction holds the lock or waits for it, this compute node owns it, or
   * the time is over. For a transaction that has ended.
   */
  void awaitOlder(long key, long timeoutNanos, CancellationToken token);

  /**
   * Returns the address of the CVT of the row of the i-th lock of the last request, if the lock is
   * held and the reply of its owner contained the address; else 0. The address is a hint, since two
   * primary keys may share a lock.
   */
  long rowAddress(int i);

  /** Releases a lock if another compute node has granted it; returns false otherwise. */
  boolean release(long key);

  /** Returns false if the owner of a lock has failed and the lock has no new owner yet. */
  boolean hasKeeper(long key);

  /** Returns the priority of the transaction that blocked the last request; 0 if unknown. */
  long holder();

  /**
   * Protects the locks of the transaction until it ends: from now on no other transaction gets
   * them. Returns false if a lock that the transaction relies on was revoked.
   */
  boolean hold();

  /**
   * Returns true if a lock was revoked, or if other compute nodes wait for the end of the
   * transaction, whose locks are protected by {@link #hold}, or if {@link #isLost}. Such a
   * transaction acquires no more locks.
   */
  boolean mustEnd();

  /**
   * Returns true if this compute node no longer shares the pool. Then the holder of a lock may
   * never release it.
   */
  boolean isLost();

  /**
   * Returns true if the transaction has to stop its work: a lock was revoked, or another compute
   * node has waited too long for its end. Any thread may call this.
   */
  boolean isOverdue();

  /**
   * Returns true if any transaction may hold the lock for writing, also if that cannot be
   * determined.
   */
  boolean mayBeWriteLocked(long key);

  /** Returns true if a lock that the transaction relies on was revoked. */
  boolean isRevoked();

  /** Ends the transaction: releases all its locks of other compute nodes. */
  void end();
}
