package org.nelumbo.executor.lock;

/**
 * The remote locks of one transaction after another, if the pool is shared. For the thread of the
 * transaction, except where any thread is mentioned.
 */
final class RemoteAccess {
  /** Null in an exclusive pool. */
  private final RemoteLocks remote;

  private boolean isActive;

  /**
   * Creates the access of a coordinator.
   *
   * @param remote the remote locks; null in an exclusive pool
   */
  RemoteAccess(RemoteLocks remote) {
    this.remote = remote;
  }

  /** Returns the remote locks; null in an exclusive pool. */
  RemoteLocks get() {
    return remote;
  }

  boolean isActive() {
    return isActive;
  }

  void begin(long priority) {
    isActive = true;
    if (remote != null) {
      remote.begin(priority);
    }
  }

  /** Keeps the locks until the transaction ends; returns false if one of them was revoked. */
  boolean hold() {
    return remote == null || remote.hold();
  }

  /** See {@link RemoteLocks#mustEnd}. Any thread may call this. */
  boolean mustEnd() {
    return remote != null && remote.mustEnd();
  }

  /** See {@link RemoteLocks#isOverdue}. Any thread may call this. */
  boolean isOverdue() {
    return remote != null && remote.isOverdue();
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
