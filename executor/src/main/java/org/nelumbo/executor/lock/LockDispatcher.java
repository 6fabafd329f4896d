package org.nelumbo.executor.lock;

import java.util.function.Consumer;
import org.nelumbo.dm.env.Environment;

/**
 * Acquires and releases the locks of one transaction after another. Each lock is acquired from its
 * owner: the lock table of this compute node, or the compute node that owns its shard. If the owner
 * changes during a request, the request is repeated. Held locks are recorded in the {@link
 * LockSet}.
 *
 * <p>An exception between the accesses to the lock table, or before a granted lock is recorded,
 * stops the engine. If the stack is too small even for that, the engine stops when the locks are
 * released.
 */
final class LockDispatcher {
  private final Environment environment;
  private final LockTable table;
  private final LockSet held;
  private final Consumer<Throwable> onBroken;
  private final RemoteAccess remotes;
  private final LockWaiter waiter;
  private final LockFailure failure;

  private final long[] soleKey = new long[1];

  private final byte[] soleOperation = new byte[1];

  /** Address of the row of that lock, if the owner's reply contained it; else 0. */
  private long soleAddress;

  /**
   * True during a request. If an exception ends the request, the lock table may contain words
   * without a holder.
   */
  private boolean requesting;

  /** Number of locks of this compute node that are held in mode INSERT, and so not in the set. */
  private int inserting;

  private int lastEntry;

  LockDispatcher(
      Environment environment,
      LockTable table,
      LockSet held,
      Consumer<Throwable> onBroken,
      RemoteAccess remotes,
      LockWaiter waiter,
      LockFailure failure) {
    this.environment = environment;
    this.table = table;
    this.held = held;
    this.onBroken = onBroken;
    this.remotes = remotes;
    this.waiter = waiter;
    this.failure = failure;
  }

  private void broken(Throwable why) {
    onBroken.accept(why);
  }

  private void checkNotBroken() {
    if (requesting || inserting != 0) {
      throw new IllegalStateException("a lock request was interrupted");
    }
  }

  /** Acquires a lock, or upgrades the lock held, unless that is strong enough. */
  LockResult acquire(long key, LockMode mode) {
    long identity = table.identity(key);
    int entry = held.find(identity);
    if (entry >= 0) {
      lastEntry = entry;
      return mode == LockMode.READ || held.mode(entry) == LockMode.WRITE
          ? LockResult.GRANTED
          : upgrade(entry);
    }
    held.reserve();
    requesting = true;
    soleAddress = 0;
    try {
      LockResult result = requestAnywhere(key, mode);
      if (result == LockResult.GRANTED) {
        lastEntry = held.add(identity, key, mode);
        held.setAddress(lastEntry, soleAddress);
      }
      requesting = false;
      return result;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  /** Returns the entry of the last lock acquired. */
  int lastEntry() {
    return lastEntry;
  }

  /** Turns a read lock into a write lock. */
  LockResult upgrade(int entry) {
    long key = held.key(entry);
    requesting = true;
    try {
      LockResult result =
          remotes.holds(key)
              ? requestShared(key, LockMode.WRITE, true)
              : waiter.requestUpgrade(key);
      if (result == LockResult.GRANTED) {
        held.setMode(entry, LockMode.WRITE);
      }
      requesting = false;
      return result;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  /**
   * Acquires a lock in mode INSERT without adding it to the set, see {@link LockSet#isInserting};
   * {@link #release} releases it.
   */
  boolean enter(long key) {
    requesting = true;
    try {
      boolean granted = requestAnywhere(key, LockMode.INSERT) == LockResult.GRANTED;
      held.setInserting(granted);
      inserting += granted && !remotes.holds(key) ? 1 : 0;
      requesting = false;
      return granted;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  /**
   * Acquires a lock of this compute node if that is possible without waiting.
   *
   * @param identity identity under which the lock is recorded, after {@link LockSet#reserve}; 0 for
   *     mode INSERT, which is not recorded
   */
  boolean tryAcquire(long key, LockMode mode, long identity) {
    RemoteLocks remote = remotes.get();
    if (remote != null && !remote.isLocal(key)) {
      // A remote request needs a message, and latches may be held.
      return false;
    }
    requesting = true;
    try {
      boolean granted = waiter.requestNow(key, mode) == LockResult.GRANTED;
      remote = remotes.get();
      if (granted && remote != null && !remote.confirmLocal(key)) {
        table.release(key, mode);
        granted = false;
      }
      if (granted && identity != 0) {
        held.add(identity, key, mode);
      } else if (granted) {
        inserting++;
      }
      requesting = false;
      return granted;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  private LockResult requestAnywhere(long key, LockMode mode) {
    if (remotes.get() == null) {
      LockResult result = waiter.request(key, mode);
      if (result != LockResult.GRANTED) {
        return result;
      }
      RemoteLocks remote = remotes.get();
      if (remote == null || remote.confirmLocal(key)) {
        return result;
      }
      table.release(key, mode); // sharing has begun, and the shard has another owner
    }
    return requestShared(key, mode, false);
  }

  private LockResult requestShared(long key, LockMode mode, boolean upgrade) {
    RemoteLocks remote = remotes.known();
    long start = environment.nanoTime();
    LockResult result = LockResult.NOT_OWNER;
    while (result == LockResult.NOT_OWNER) {
      if (remote.mustEnd()) {
        result = failure.taken(key, mode);
      } else if (!remote.isLocal(key)) {
        soleKey[0] = key;
        soleOperation[0] = upgrade ? RemoteLocks.UPGRADE : mode.code();
        result = waiter.requestRemote(soleKey, soleOperation, 1);
        soleAddress = result == LockResult.GRANTED ? remote.rowAddress(0) : 0;
      } else if (upgrade) {
        // The shard has moved to this compute node, so the read lock was revoked.
        failure.note(LockResult.DIE, false, key, mode, table.holderPriority(key), 0);
        result = LockResult.DIE;
      } else {
        result = waiter.request(key, mode);
        if (result == LockResult.GRANTED && !remote.confirmLocal(key)) {
          table.release(key, mode);
          result = LockResult.NOT_OWNER;
        }
      }
      if (result == LockResult.NOT_OWNER) {
        waiter.limitAfter(environment.nanoTime() - start);
      }
    }
    waiter.limitAfter(0);
    return result;
  }

  /** Releases the last lock that was acquired. */
  void releaseLast() {
    int entry = held.size() - 1;
    long key = held.key(entry);
    LockMode mode = held.mode(entry);
    held.removeLast();
    release(key, mode);
  }

  /** Releases a lock that is not in the set, or was removed from it. */
  void release(long key, LockMode mode) {
    RemoteLocks remote = remotes.known();
    if (remote != null && remote.release(key)) {
      return;
    }
    requesting = true;
    try {
      table.release(key, mode);
      inserting -= mode == LockMode.INSERT ? 1 : 0;
      requesting = false;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  /**
   * Releases every lock.
   *
   * @throws IllegalStateException if an exception has ended a request half way, or has left locks
   *     in mode INSERT: a lock without a holder may remain
   */
  void releaseAll() {
    checkNotBroken();
    for (int entry = 0, size = held.size(); entry < size; entry++) {
      if (!remotes.holds(held.key(entry))) {
        release(held.key(entry), held.mode(entry));
      }
    }
    held.clear();
    remotes.end();
  }
}
