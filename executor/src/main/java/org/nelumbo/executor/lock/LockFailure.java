package org.nelumbo.executor.lock;

import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.outcome.Outcome;

/** The last failed request for a lock, for the error message and for the retry. Mutable. */
final class LockFailure {
  private final RemoteAccess remotes;

  private Outcome outcome = Outcome.OK;
  private long key;
  private LockMode mode;

  /** Priority of the holder, or of the waiter that the request is behind; 0 if unknown. */
  private long holder;

  private boolean isBehind;
  private boolean isTimedOut;

  /**
   * True if the failure was not a conflict of two transactions, but a revoked lock or an abort
   * request.
   */
  private boolean isTaken;

  private long waitedNanos;

  LockFailure(RemoteAccess remotes) {
    this.remotes = remotes;
  }

  /** Begins a transaction, in which no request has failed. */
  void clear() {
    outcome = Outcome.OK;
    isBehind = false;
    isTimedOut = false;
    isTaken = false;
  }

  /** Ignores the failed request: it was an attempt, and is no failure of the transaction. */
  void forgive() {
    outcome = Outcome.OK;
  }

  /**
   * Records a lock that was revoked, or an abort of the transaction because others wait for its
   * end.
   */
  LockResult taken(long takenKey, LockMode takenMode) {
    note(LockResult.DIE, false, takenKey, takenMode, 0, 0);
    isTaken = true;
    return LockResult.DIE;
  }

  /**
   * Records a failed request.
   *
   * @param result result of the request, or of its last poll; not GRANTED
   * @param timedOut true if the lock timeout has expired
   * @param newHolder priority of the conflicting transaction; 0 if unknown
   */
  void note(
      LockResult result,
      boolean timedOut,
      long failedKey,
      LockMode failedMode,
      long newHolder,
      long waited) {
    outcome = result.outcome();
    key = failedKey;
    mode = failedMode;
    holder = newHolder;
    isBehind = result == LockResult.BEHIND;
    isTimedOut = timedOut;
    waitedNanos = waited;
  }

  Outcome outcome() {
    return outcome;
  }

  long key() {
    return key;
  }

  boolean isTimedOut() {
    return isTimedOut;
  }

  boolean isTaken() {
    return isTaken;
  }

  /**
   * Describes the failed request for the error message.
   *
   * @param rowKey LOTUS key of the requested row; 0 if there is none
   * @param row description of that row
   * @param other description of the other locks that the operation needs; null if unknown
   */
  String describe(long rowKey, String row, String other) {
    if (isTaken) {
      return "another compute node owns, or takes over, a lock of the transaction";
    }
    String what =
        row != null && key == rowKey
            ? row
            : other != null
                ? other
                : key >>> PoolAddress.BITS == 0
                    ? "index leaf " + PoolAddress.toString(key)
                    : "row with key hash 0x" + Long.toHexString(key);
    return (mode == LockMode.WRITE ? "write" : mode == LockMode.READ ? "read" : "insert")
        + " lock on "
        + what
        + describeHolder()
        + (waitedNanos > 0 ? " (waited " + waitedNanos / 1000 + " us)" : "");
  }

  private String describeHolder() {
    RemoteLocks remote = remotes.get();
    if (remote != null && !remote.hasKeeper(key)) {
      return " was not granted: the compute node that owned it has failed, and no other one owns"
          + " it yet";
    }
    if (holder == 0 && isTimedOut && remote != null && !remote.isLocal(key)) {
      return " was not granted: the compute node that owns it does not respond";
    }
    if (holder == 0) {
      return " was not granted, and its holder is unknown";
    }
    return (isBehind ? " is waited for by the older transaction " : " is held by transaction ")
        + Long.toHexString(holder);
  }
}
