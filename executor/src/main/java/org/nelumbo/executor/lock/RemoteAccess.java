package org.nelumbo.executor.lock;

import java.util.function.Supplier;

/**
 * The remote locks of one transaction after another, once the pool is shared. If sharing begins
 * during a transaction, the locks it already holds stay valid, since a shard is not moved while one
 * of its locks is held here. From then on other compute nodes can request the end of the
 * transaction. For the thread of the transaction, except where any thread is mentioned.
 */
final class RemoteAccess {
  private final LockSet held;
  private final Supplier<RemoteLocks> source;

  /** Null until the pool is known to be shared. */
  private RemoteLocks remote;

  private boolean isActive;

  /** True if the transaction relies on its locks, see {@link #hold}. */
  private boolean isHolding;

  private long priority;

  /**
   * Creates the access of a coordinator.
   *
   * @param source supplies the remote locks; null while the pool is exclusive
   */
  RemoteAccess(LockSet held, Supplier<RemoteLocks> source) {
    this.held = held;
    this.source = source;
  }

  /** Returns the remote locks; null while the pool is exclusive. */
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

  /** Keeps the locks until the transaction ends; returns false if one of them was revoked. */
  boolean hold() {
    isHolding = true;
    RemoteLocks known = get();
    return known == null || known.hold();
  }

  /** See {@link RemoteLocks#mustEnd}. Any thread may call this. */
  boolean mustEnd() {
    RemoteLocks known = remote;
    return known != null && known.mustEnd();
  }

  /** See {@link RemoteLocks#isOverdue}. Any thread may call this. */
  boolean isOverdue() {
    RemoteLocks known = remote;
    return known != null && known.isOverdue();
  }

  boolean isRevoked() {
    return remote != null && remote.isRevoked();
  }

  /** Returns true if the lock is held and was granted by another compute node. */
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
