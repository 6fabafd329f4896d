package org.nelumbo.executor.lock;

import java.util.function.Supplier;

/**
 * The remote locks of one transaction after another, once the pool is shared. If sharing begins in
 * the middle of a transaction, the locks it already holds stay valid, since a shard does not move
 * while one of its locks is held here; from then on other compute nodes can request its end. For
 * the thread of the transaction, except where any thread is mentioned.
 */
final class RemoteAccess {
  private final LockSet held;
  private final Supplier<RemoteLocks> source;

  /** Null as long as the pool is not known to be shared. */
  private RemoteLocks remote;

  /** A transaction is in progress. */
  private boolean isActive;

  /** It relies on its locks, see {@link #hold}. */
  private boolean isHolding;

  private long priority;

  /**
   * Creates the access of a coordinator.
   *
   * @param source returns the remote locks; null as long as the pool is not shared
   */
  RemoteAccess(LockSet held, Supplier<RemoteLocks> source) {
    this.held = held;
    this.source = source;
  }

  /** Returns the remote locks; null if the pool is not shared by now. */
  RemoteLocks get() {
    if (remote == null) {
      remote = meet();
    }
    return remote;
  }

  private RemoteLocks meet() {
    RemoteLocks met = source.get();
    if (met != null && isActive) {
      met.begin(priority);
      for (int entry = 0; entry < held.size(); entry++) {
        met.confirmLocal(held.key(entry));
      }
      if (isHolding) {
        met.hold();
      }
    }
    return met;
  }

  /** Returns the remote locks as of the last {@link #get}. */
  RemoteLocks known() {
    return remote;
  }

  boolean isActive() {
    return isActive;
  }

  void begin(long newPriority) {
    RemoteLocks known = get();
    isActive = true;
    isHolding = false;
    priority = newPriority;
    if (known != null) {
      known.begin(newPriority);
    }
  }

  /** Keeps the locks until the transaction ends; false if one of them was taken away. */
  boolean hold() {
    isHolding = true;
    RemoteLocks known = get();
    return known == null || known.hold();
  }

  /** See {@link RemoteLocks#mustEnd}; any thread. */
  boolean mustEnd() {
    RemoteLocks known = remote;
    return known != null && known.mustEnd();
  }

  /** See {@link RemoteLocks#isOverdue}; any thread. */
  boolean isOverdue() {
    RemoteLocks known = remote;
    return known != null && known.isOverdue();
  }

  boolean isDoomed() {
    return remote != null && remote.isDoomed();
  }

  /** Returns true if another compute node has granted the lock, and it is held. */
  boolean holds(long key) {
    return remote != null && remote.holds(key);
  }

  boolean holdsAny() {
    return remote != null && remote.holdsAny();
  }

  void end() {
    isActive = false;
    if (remote != null) {
      remote.end();
    }
  }
}
