package org.nelumbo.executor.lock;

import java.util.Arrays;

/**
 * A batch of remote locks that are acquired together, with one message for each owner and {@value
 * #LOCKS_MAX} locks. A subsequent request for one of them then finds it held, as if it were local.
 */
final class LockBatch {
  /** Maximum number of locks in a message. */
  static final int LOCKS_MAX = 256;

  private final LockTable table;
  private final LockSet held;
  private final RemoteAccess remotes;
  private final LockWaiter waiter;
  private final LockFailure failure;
  private final LockDispatcher dispatcher;
  private final LeafLocks leaves;

  private long[] keys = new long[0];
  private byte[] operations = new byte[0];
  private int count;

  LockBatch(
      LockTable table,
      LockSet held,
      RemoteAccess remotes,
      LockWaiter waiter,
      LockFailure failure,
      LockDispatcher dispatcher,
      LeafLocks leaves) {
    this.table = table;
    this.held = held;
    this.remotes = remotes;
    this.waiter = waiter;
    this.failure = failure;
    this.dispatcher = dispatcher;
    this.leaves = leaves;
  }

  void clear() {
    count = 0;
  }

  /** Acquires those of the locks that are remote; see {@link KeyLocks#acquireAhead}. */
  LockResult acquire(long[] wanted, int wantedCount, LockMode mode) {
    LockResult result = LockResult.GRANTED;
    if (remotes.get() != null) {
      count = 0;
      for (int i = 0; i < wantedCount && result == LockResult.GRANTED; i++) {
        result = add(wanted[i], mode);
      }
    }
    return result == LockResult.GRANTED ? finish() : result;
  }

  /** Adds a lock; acquires all added locks if they fill a message. */
  LockResult add(long key, LockMode mode) {
    RemoteLocks remote = remotes.get();
    if (remote == null || remote.isLocal(key) || isHeldOrAdded(key)) {
      return LockResult.GRANTED;
    }
    reserve(count);
    keys[count] = key;
    operations[count++] = mode.code();
    return count == LOCKS_MAX ? finish() : LockResult.GRANTED;
  }

  private void reserve(int size) {
    if (size == keys.length) {
      int capacity = Math.min(LOCKS_MAX, Math.max(16, 2 * size));
      operations = Arrays.copyOf(operations, capacity);
      // last, since keys.length is the capacity that is checked
      keys = Arrays.copyOf(keys, capacity);
    }
  }

  /** Two keys may share one lock, so this compares identities. */
  private boolean isHeldOrAdded(long key) {
    long identity = table.identity(key);
    boolean isKnown = held.find(identity) >= 0;
    for (int i = 0; i < count && !isKnown; i++) {
      isKnown = table.identity(keys[i]) == identity;
    }
    return isKnown;
  }

  /** Acquires the locks that were added. */
  LockResult finish() {
    int size = count;
    count = 0;
    if (size == 0) {
      return LockResult.GRANTED;
    }
    LockResult result = request(size);
    RemoteLocks remote = remotes.get();
    for (int i = 0; i < size; i++) {
      if (remote.holds(keys[i])) {
        held.reserve();
        int entry = held.add(table.identity(keys[i]), keys[i], LockMode.of(operations[i]));
        held.setAddress(entry, remote.rowAddress(i));
      }
    }
    return result;
  }

  /**
   * Returns GRANTED also if this compute node has become the owner of some locks, which are then
   * not acquired.
   */
  private LockResult request(int size) {
    if (remotes.mustEnd()) {
      return failure.taken(keys[0], LockMode.of(operations[0]));
    }
    LockResult result = waiter.requestRemote(keys, operations, size);
    return result == LockResult.NOT_OWNER ? LockResult.GRANTED : result;
  }

  /** Acquires several locks in mode INSERT; see {@link KeyLocks#enterInserts}. */
  int enterInserts(long[] wanted, int wantedCount) {
    boolean granted = remotes.get() == null || enterRemote(wanted, wantedCount);
    int entered = 0;
    for (int i = 0; i < wantedCount && granted; i++) {
      long key = wanted[i];
      boolean isEntered = isEntered(key);
      held.setInserting(isEntered);
      granted = isEntered || leaves.enterInsert(key);
      if (held.isInserting()) {
        wanted[i] = wanted[entered];
        wanted[entered++] = key;
      }
    }
    held.setInserting(false);
    if (granted) {
      return entered;
    }
    exitInserts(wanted, entered);
    for (int i = entered; i < wantedCount; i++) {
      if (isEntered(wanted[i])) {
        dispatcher.releaseUnrecorded(wanted[i], LockMode.INSERT);
      }
    }
    return -1;
  }

  private boolean enterRemote(long[] wanted, int wantedCount) {
    RemoteLocks remote = remotes.get();
    LockResult result = LockResult.GRANTED;
    for (int i = 0; i < wantedCount && result == LockResult.GRANTED; ) {
      int size = 0;
      for (; i < wantedCount && size < LOCKS_MAX; i++) {
        if (!remote.isLocal(wanted[i]) && held.find(table.identity(wanted[i])) < 0) {
          reserve(size);
          keys[size] = wanted[i];
          operations[size++] = LockMode.INSERT.code();
        }
      }
      result = size == 0 ? LockResult.GRANTED : request(size);
    }
    return result == LockResult.GRANTED;
  }

  /** Returns true if a remote lock is held that is not in the set. */
  private boolean isEntered(long key) {
    return remotes.holds(key) && held.find(table.identity(key)) < 0;
  }

  /** Releases the locks that {@link #enterInserts} has acquired. */
  void exitInserts(long[] entered, int enteredCount) {
    for (int i = 0; i < enteredCount; i++) {
      dispatcher.releaseUnrecorded(entered[i], LockMode.INSERT);
    }
  }
}
