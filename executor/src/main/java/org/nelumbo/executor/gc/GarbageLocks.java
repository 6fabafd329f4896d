package org.nelumbo.executor.gc;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.LeafKeys;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockResult;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.lock.RemoteLocks;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.session.ConflictPolicy;

/**
 * The locks that a collector acquires between two transactions of its coordinator, each only if it
 * is free. Transactions that need such a lock wait for it. Not thread-safe.
 */
final class GarbageLocks {
  private static final long REPLY_NANOS = 10_000_000;

  /** Polls for a leaf that is being changed. */
  private static final int CHANGE_POLLS = 20;

  private final Environment environment;
  private final LockTable table;
  private final Clock clock;

  /** Null in an exclusive pool. */
  private final RemoteLocks remote;

  private final CancellationToken never;
  private final long[] keys = new long[1];
  private final byte[] operations = new byte[1];

  private boolean isBegun;

  GarbageLocks(CoordinatorContext context) {
    this.table = context.lockTable();
    this.clock = context.clock();
    this.remote = context.remoteLocks();
    this.environment = context.environment();
    this.never = new CancellationToken(environment);
  }

  /** Returns true if other compute nodes may own locks. */
  boolean isShared() {
    return remote != null;
  }

  /** Acquires the lock if it is free; returns false otherwise. */
  boolean tryLock(long key, LockMode mode) {
    return remote == null ? tryTable(key, mode) : tryAnywhere(key, mode);
  }

  private boolean tryTable(long key, LockMode mode) {
    LockResult result = table.tryAcquire(key, mode, Priority.ofCollector(clock));
    for (int attempt = 0; isChanging(key, result) && attempt < CHANGE_POLLS; attempt++) {
      environment.backoff(attempt);
      result = table.tryAcquire(key, mode, Priority.ofCollector(clock));
    }
    return result == LockResult.GRANTED;
  }

  private static boolean isChanging(long key, LockResult result) {
    return result == LockResult.CHANGING || LeafKeys.isChange(key) && result != LockResult.GRANTED;
  }

  private boolean tryAnywhere(long key, LockMode mode) {
    if (!isBegun) {
      isBegun = true;
      remote.begin(Priority.ofCollector(clock));
    }
    if (remote.mustEnd() || !(remote.isLocal(key) ? tryLocal(key, mode) : ask(key, mode))) {
      return false;
    }
    if (!remote.hold()) {
      unlock(key, mode);
      return false;
    }
    return true;
  }

  private boolean tryLocal(long key, LockMode mode) {
    boolean isGranted = tryTable(key, mode);
    if (isGranted && !remote.confirmLocal(key)) {
      table.release(key, mode);
      return false;
    }
    return isGranted;
  }

  private boolean ask(long key, LockMode mode) {
    if (remote.holds(key)) {
      return false; // two items of one row
    }
    keys[0] = key;
    operations[0] = mode.code();
    boolean isChange = LeafKeys.isChange(key);
    ConflictPolicy policy = isChange ? ConflictPolicy.WAIT_DIE : ConflictPolicy.NO_WAIT;
    LockResult result = remote.acquire(keys, operations, 1, policy, isChange, REPLY_NANOS, never);
    return result == LockResult.GRANTED;
  }

  void unlock(long key, LockMode mode) {
    if (remote == null || !remote.release(key)) {
      table.release(key, mode);
    }
  }

  /**
   * Ends the work after a transaction, so that the coordinator's next one may begin; no lock is
   * held.
   */
  void end() {
    if (isBegun) {
      isBegun = false;
      remote.end();
    }
  }
}
