package org.nelumbo.executor.lock;

import java.util.List;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.session.ConflictPolicy;

/**
 * Requests locks for one transaction after another, from the lock table or from other compute
 * nodes, and waits for them where the conflict policy permits.
 *
 * <p>Wait-die, in three examples:
 *
 * <ol>
 *   <li>T5 holds K. T3 is older: it polls until K is free or its lock timeout expires.
 *   <li>T3 holds K. T5 is younger and holds other locks: it fails at once.
 *   <li>T3 waits for T5 on K, and an older T1 becomes a reader of K. At its next poll T3 is younger
 *       than a holder, and fails if it holds locks.
 * </ol>
 *
 * <p>So a lasting wait is either a wait of an older transaction for younger ones, which form no
 * lasting cycle, or the wait of a transaction that holds no lock. No transaction waits for the
 * latter, so it is in no cycle, and may wait up to its timeout, whatever its age.
 *
 * <p>A waiter is announced after {@value #PATIENCE} polls, about 15 ms. Younger transactions that
 * request the lock are then behind it ({@link LockResult#BEHIND}), so they cannot pass the lock on
 * among themselves for ever. A younger transaction that holds locks and waits behind an older one
 * does so against the order of age, and gives up after {@value #BEHIND_POLLS} polls, about 10 ms.
 * So a cycle that contains such a wait does not last, and no other cycle exists: the remaining
 * waits are waits of older transactions for younger ones.
 */
final class LockWaiter {
  /**
   * Polls after which a waiter is announced. Much earlier would be slower: a free lock that is
   * reserved for a sleeping waiter stays unused until the waiter wakes up.
   */
  static final int PATIENCE = 48;

  /** Polls for which a transaction that holds locks waits behind an older one. */
  static final int BEHIND_POLLS = 44;

  /**
   * Shortest wait for a collector, or for a change of a leaf, even if the lock timeout is shorter.
   */
  private static final long SHORT_WAIT_NANOS = 1_000_000_000;

  /**
   * Longest time that {@link #awaitOlder} waits. It limits how long a client that holds a lock
   * while it waits for its user delays the errors of others.
   */
  private static final long OLDER_NANOS = 100_000_000;

  /**
   * Longest wait for a change lock: longer than the interval for which a shard is frozen before it
   * moves.
   */
  private static final long CHANGE_NANOS = 2_000_000_000;

  /** The operation of a request for a change lock. */
  private static final byte[] CHANGE = {LockMode.WRITE.code()};

  private final Environment environment;
  private final LockTable table;
  private final LockSet held;
  private final CancellationToken cancellationToken;
  private final RemoteAccess remotes;
  private final LockFailure failure;

  /** Token of requests that a rollback needs, too. */
  private final CancellationToken never;

  private final long[] changeKey = new long[1];

  private ConflictPolicy policy;

  private boolean noWait;

  private long timeoutNanos;
  private long priority;

  /** Longest time of a wait: the rest of the timeout if there was a wait before. */
  private long limitNanos;

  private long awaitedKey;
  private LockMode awaitedMode;

  /** Written after awaitedKey and awaitedMode. */
  private volatile boolean waiting;

  private long localLocks;
  private long remoteLocks;
  private long roundTrips;

  LockWaiter(
      Environment environment,
      LockTable table,
      LockSet held,
      CancellationToken cancellationToken,
      RemoteAccess remotes,
      LockFailure failure) {
    this.environment = environment;
    this.table = table;
    this.held = held;
    this.cancellationToken = cancellationToken;
    this.remotes = remotes;
    this.failure = failure;
    this.never = new CancellationToken(environment);
  }

  void begin(long newPriority, ConflictPolicy newPolicy, long newTimeoutNanos) {
    priority = newPriority;
    policy = newPolicy;
    timeoutNanos = newTimeoutNanos;
    limitNanos = newTimeoutNanos;
    noWait = false;
  }

  void setNoWait(boolean newNoWait) {
    noWait = newNoWait;
  }

  boolean isNoWait() {
    return noWait;
  }

  private ConflictPolicy policy() {
    return noWait ? ConflictPolicy.NO_WAIT : policy;
  }

  /** Reduces the limit of the next wait by the time that the request has taken so far. */
  void limitAfter(long spentNanos) {
    limitNanos = timeoutNanos - spentNanos;
  }

  /** Requests a lock that is not held from the lock table. */
  LockResult request(long key, LockMode mode) {
    localLocks++;
    LockResult result = table.tryAcquire(key, mode, priority);
    return result == LockResult.GRANTED ? result : waitFor(key, mode, result, false);
  }

  /** Requests a lock that is not held from the lock table, without waiting. */
  LockResult requestNow(long key, LockMode mode) {
    return table.tryAcquire(key, mode, priority);
  }

  /** Requests a write lock from the lock table in place of a read lock. */
  LockResult requestUpgrade(long key) {
    LockResult result = table.tryUpgrade(key, priority);
    return result == LockResult.GRANTED ? result : waitFor(key, LockMode.WRITE, result, true);
  }

  private LockResult waitFor(long key, LockMode mode, LockResult first, boolean upgrade) {
    long start = environment.nanoTime();
    LockResult result = first;
    int behind = 0;
    boolean announced = false;
    try {
      for (int attempt = 0; result != LockResult.GRANTED; attempt++) {
        long waited = environment.nanoTime() - start;
        behind = result == LockResult.BEHIND ? behind + 1 : 0;
        if (remotes.mustEnd()) {
          return failure.taken(key, mode);
        }
        if (!mayWait(key, result, behind, waited)) {
          return fail(result, key, mode, waited);
        }
        if (cancellationToken.isSet()) {
          return fail(LockResult.CANCELLED, key, mode, waited);
        }
        if (!announced
            && attempt >= PATIENCE
            && result != LockResult.BEHIND
            && result != LockResult.CHANGING
            && policy == ConflictPolicy.WAIT_DIE) {
          announced = table.announce(key, priority);
        }
        awaitedKey = key;
        awaitedMode = mode;
        waiting = true;
        environment.backoffLong(attempt);
        result = upgrade ? table.tryUpgrade(key, priority) : table.tryAcquire(key, mode, priority);
      }
      return result;
    } finally {
      if (announced) {
        table.withdraw(key);
      }
      if (waiting) {
        waiting = false;
        table.countWait(environment.nanoTime() - start);
      }
    }
  }

  private LockResult fail(LockResult result, long key, LockMode mode, long waited) {
    boolean isBehind = result == LockResult.BEHIND;
    long holder = isBehind ? table.waiterPriority(key) : table.holderPriority(key);
    failure.note(result, waited >= limitNanos, key, mode, holder, waited);
    return result;
  }

  private boolean mayWait(long key, LockResult result, int behind, long waited) {
    if (result == LockResult.CHANGING) {
      return waited < Math.max(limitNanos, SHORT_WAIT_NANOS); // the holder may have lost the pool
    }
    if (policy() == ConflictPolicy.NO_WAIT || waited >= limitNanos) {
      return result == LockResult.WAIT
          && waited < Math.max(limitNanos, SHORT_WAIT_NANOS)
          && isHeldByCollector(key);
    }
    return !holdsLocks()
        || result == LockResult.WAIT
        || result == LockResult.BEHIND && behind <= BEHIND_POLLS;
  }

  private boolean holdsLocks() {
    return held.size() > 0 || held.isInserting() || remotes.holdsAny();
  }

  /** Requests wait for collectors under any policy, since that is no conflict. */
  private boolean isHeldByCollector(long key) {
    long holder = table.holderPriority(key);
    return holder == 0 || Priority.isOfCollector(holder);
  }

  /**
   * Requests locks from other compute nodes.
   *
   * @param operations as for {@link RemoteLocks#acquire}
   * @return GRANTED, a failure, or NOT_OWNER if this compute node has become the owner of some of
   *     the locks
   */
  LockResult requestRemote(long[] keys, byte[] operations, int count) {
    RemoteLocks remote = remotes.get();
    long start = environment.nanoTime();
    boolean alone = count == 1 && !holdsLocks();
    awaitedKey = keys[0];
    awaitedMode = RemoteLocks.mode(operations[0]);
    waiting = true;
    remoteLocks += count;
    roundTrips++;
    LockResult result;
    try {
      result =
          remote.acquire(keys, operations, count, policy(), alone, limitNanos, cancellationToken);
    } finally {
      waiting = false;
    }
    if (result == LockResult.GRANTED || result == LockResult.NOT_OWNER) {
      return result;
    }
    long missing = missing(remote, keys, count);
    if (result == LockResult.DIE && remote.mustEnd()) {
      return failure.taken(missing, awaitedMode);
    }
    long waited = environment.nanoTime() - start;
    boolean isTimedOut = result == LockResult.TIMED_OUT;
    failure.note(result, isTimedOut, missing, awaitedMode, remote.holder(), waited);
    return result;
  }

  /**
   * Requests the change lock of a leaf. Returns false if the transaction must end, or the lock
   * could not be acquired within {@link #CHANGE_NANOS}.
   */
  boolean requestChange(long key) {
    RemoteLocks remote = remotes.get();
    long start = environment.nanoTime();
    changeKey[0] = key;
    for (int attempt = 0; isPatient(start) && !remote.isLost(); attempt++) {
      if (remote.isLocal(key)) {
        if (table.tryAcquire(key, LockMode.WRITE, priority) == LockResult.GRANTED) {
          if (remote.confirmLocal(key)) {
            return true;
          }
          table.release(key, LockMode.WRITE);
        }
        environment.backoff(attempt);
      } else {
        LockResult result =
            remote.acquire(
                changeKey, CHANGE, 1, ConflictPolicy.WAIT_DIE, true, CHANGE_NANOS, never);
        if (result != LockResult.NOT_OWNER) {
          return result == LockResult.GRANTED;
        }
      }
    }
    return false;
  }

  private boolean isPatient(long start) {
    return environment.nanoTime() - start < CHANGE_NANOS;
  }

  private static long missing(RemoteLocks remote, long[] keys, int count) {
    for (int i = 0; i < count; i++) {
      if (!remote.holds(keys[i])) {
        return keys[i];
      }
    }
    return keys[0];
  }

  /**
   * Waits until the lock that the ended transaction was refused has no older holder or waiter, for
   * at most {@link #OLDER_NANOS}. The next transaction inherits the priority, so a retry that
   * begins earlier would be refused again by the same holder, after it has repeated all its work.
   * The transaction holds no lock meanwhile, so the wait is in no cycle. Returns at once after a
   * lock timeout, under {@link ConflictPolicy#NO_WAIT}, and if the last request did not fail by a
   * conflict.
   */
  void awaitOlder() {
    assert !remotes.isActive() : "waits for other transactions with its locks";
    if (failure.outcome() != Outcome.CONFLICT
        || failure.isTaken()
        || failure.isTimedOut()
        || policy() == ConflictPolicy.NO_WAIT) {
      return;
    }
    RemoteLocks remote = remotes.get();
    long key = failure.key();
    long start = environment.nanoTime();
    long waited = 0;
    boolean announced = false;
    boolean isRefused = true;
    try {
      for (int attempt = 0; isRefused && waited < OLDER_NANOS; attempt++) {
        if (remote != null && !remote.isLocal(key)) {
          remote.awaitOlder(key, OLDER_NANOS - waited, cancellationToken);
          isRefused = remote.isLocal(key); // the shard has moved to this compute node
        } else {
          isRefused = table.hasOlder(key, priority);
          if (isRefused) {
            announced = announced || attempt >= PATIENCE && table.announce(key, priority);
            environment.backoffLong(attempt);
          }
        }
        isRefused &= !cancellationToken.isSet();
        waited = environment.nanoTime() - start;
      }
    } finally {
      if (announced) {
        table.withdraw(key);
      }
    }
    if (waited > 0) {
      table.countWait(waited);
    }
  }

  /** Returns true while a lock is waited for. Any thread may call this. */
  boolean isWaiting() {
    return waiting;
  }

  /** Adds the lock that is waited for, if there is one. Any thread may call this. */
  void addTo(List<LockState> states) {
    if (waiting) {
      states.add(new LockState(awaitedKey, awaitedMode, PoolAddress.NULL, false));
    }
  }

  /** Returns the numbers of requests so far. */
  LockCounts counts() {
    return new LockCounts(localLocks, remoteLocks, roundTrips);
  }
}
