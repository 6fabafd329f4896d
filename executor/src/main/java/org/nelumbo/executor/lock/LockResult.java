package org.nelumbo.executor.lock;

import org.nelumbo.executor.outcome.Outcome;

/**
 * The result of a lock request: of the lock table, of the compute node that owns the lock, and of
 * the requester's side of that exchange. Transactions see it as an {@link Outcome}.
 */
public enum LockResult {
  /** The lock is held; of several locks, all are held. */
  GRANTED(1),

  /**
   * Another transaction holds the lock, and every holder is younger than the requester, which may
   * wait. Also the result if another request for the lock has been in progress for too long. In a
   * reply: the owner queues the request, and sends another reply later.
   */
  WAIT(0),

  /**
   * An older, announced transaction waits for the lock, which may be held or free. A requester
   * without locks may wait for that transaction; a requester with locks may only wait briefly.
   */
  BEHIND,

  /**
   * The requester must not wait if it holds locks, since a holder may be older. Of a request to
   * other compute nodes: the transaction has to abort.
   */
  DIE(2),

  /**
   * The compute node no longer owns the lock, or does not own it yet. Of several locks, the locks
   * of other owners are held.
   */
  NOT_OWNER(3),

  /** A leaf is being changed, which takes only a few round trips; any requester waits for that. */
  CHANGING,

  /** There is no room for another lock. */
  FULL(4),

  /** The transaction was cancelled. */
  CANCELLED,

  /** The lock timeout has expired. */
  TIMED_OUT,

  /** The state changed during the request, which has to be repeated. */
  RETRY;

  private static final byte NO_CODE = -1;
  private static final LockResult[] BY_CODE = {WAIT, GRANTED, DIE, NOT_OWNER, FULL};

  private final byte code;

  LockResult() {
    this(NO_CODE);
  }

  LockResult(int code) {
    this.code = (byte) code;
  }

  /** Returns the code of the result in replies; negative if the result is never sent. */
  public byte code() {
    return code;
  }

  /** Returns the outcome for the transaction: OK, CONFLICT or CANCELLED. */
  Outcome outcome() {
    if (this == GRANTED) {
      return Outcome.OK;
    }
    return this == CANCELLED ? Outcome.CANCELLED : Outcome.CONFLICT;
  }

  /** Returns true if a reply may contain the code. */
  public static boolean isCode(byte code) {
    return code >= 0 && code < BY_CODE.length;
  }

  /**
   * Returns the result with the given code.
   *
   * @throws ArrayIndexOutOfBoundsException if the code is invalid
   */
  public static LockResult of(byte code) {
    return BY_CODE[code];
  }
}
