package org.nelumbo.executor.lock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;

/**
 * Takes and gives back the locks of one transaction, waiting where the conflict policy allows. Only
 * what was acquired is released, each lock once (invariants 4 and 11 of {@code
 * docs/architecture.md}).
 *
 * <p>Wait-die, in three stories. (1) T5 holds K; T3 is older, polls until K is free or its lock
 * timeout is over. (2) T3 holds K; T5 is younger, holds other locks, and fails at once. (3) T3
 * waits for T5 on K, and an older T1 becomes a reader of K meanwhile: at its next poll T3 is
 * younger than a holder and fails, if it holds locks. So every wait that lasts is of an older
 * transaction for younger ones, and a cycle cannot last; or it is of one that holds no lock. Nobody
 * waits for that one, so it is in no cycle, and waits as long as it may, whatever its age.
 *
 * <p>Who has waited for {@value #PATIENCE} polls, some 15 ms, is announced, and younger ones that
 * ask for the lock are behind it ({@link LockResult#BEHIND}), so that they do not take it for ever
 * in turns. A younger one that holds locks and waits behind an older one does so against the order
 * of age: it gives up after {@value #BEHIND_POLLS} polls, some 10 ms. So a cycle with such a wait
 * in it ends by that, and any other has only waits of older for younger ones, and is none.
 */
public final class LockAcquirer implements LeafGuard {
  /**
   * Polls after which a waiter is announced. Much earlier would be slower: a lock that is free
   * while the one it is left to sleeps is of no use to anybody.
   */
  static final int PATIENCE = 48;

  /** Polls for which who holds locks waits behind an older one. */
  static final int BEHIND_POLLS = 44;

  /** For so long at least is waited for a collector, even if the lock timeout is shorter. */
  private static final long COLLECTOR_NANOS = 1_000_000_000;

  /**
   * Longest time that {@link #awaitOlder} waits. A client that holds a lock while it waits for its
   * user does not delay the error of others by more than that.
   */
  private static final long OLDER_NANOS = 100_000_000;

  /** Locks that are asked for together, at most: as many as a message has. */
  static final int AHEAD_MAX = 256;

  private final Environment environment;
  private final LockTable table;
  private final LockSet held;
  private final CancellationToken cancellationToken;
  private final Consumer<Throwable> onBroken;

  private final Supplier<RemoteLocks> others;

  /** Null as long as this compute node is the only one, as far as is known here. */
  private RemoteLocks remote;

  /** What is to be asked for together. */
  private long[] aheadKeys = new long[0];

  private byte[] aheadOperations = new byte[0];
  private int aheadCount;

  /** One remote lock that is asked for alone. */
  private final long[] soleKey = new long[1];

  private final byte[] soleOperation = new byte[1];

  /** Where the row of that lock is, as its granter has said; 0 if it has not. */
  private long soleAddress;

  /**
   * In the middle of a request: if it is left by a throwable, the words of the lock table may be
   * those of no holder.
   */
  private boolean requesting;

  /** A transaction is in progress. */
  private boolean isActive;

  /** It relies on its locks, see {@link #hold}. */
  private boolean isHolding;

  private ConflictPolicy policy;

  /** Nothing is waited for, whatever the policy. */
  private boolean noWait;

  private long timeoutNanos;
  private long priority;

  /** How long a wait may last: what is left of the timeout if there was one before it. */
  private long limitNanos;

  private Outcome failure;
  private long failedKey;
  private LockMode failedMode;
  private long failedHolder;
  private boolean failedBehind;
  private boolean timedOut;

  /** The last failure was no conflict of two: the transaction must not go on with what it has. */
  private boolean isTaken;

  private long waitedNanos;
  private long awaitedKey;
  private LockMode awaitedMode;

  /** Written after the two above. */
  private volatile boolean waiting;

  private boolean insertGranted;
  private int lastEntry;
  private long localLocks;
  private long remoteLocks;
  private long lockRoundTrips;

  /** Uses the loads of prefetches, so that they are not optimised away. */
  @SuppressWarnings("UnusedVariable")
  private long prefetched;

  /**
   * Takes the locks of one transaction after another.
   *
   * @param onBroken told what has ended a request half way: locks may be left that nobody holds
   */
  public LockAcquirer(
      Environment environment,
      LockTable table,
      LockSet held,
      CancellationToken cancellationToken,
      Consumer<Throwable> onBroken) {
    this(environment, table, held, cancellationToken, onBroken, () -> null);
  }

  /**
   * Takes the locks of one transaction after another, where other compute nodes may keep some of
   * them.
   *
   * @param onBroken told what has ended a request half way: locks may be left that nobody holds
   * @param others gives the locks of other compute nodes; null as long as there are none
   */
  public LockAcquirer(
      Environment environment,
      LockTable table,
      LockSet held,
      CancellationToken cancellationToken,
      Consumer<Throwable> onBroken,
      Supplier<RemoteLocks> others) {
    this.others = others;
    this.environment = environment;
    this.table = table;
    this.held = held;
    this.cancellationToken = cancellationToken;
    this.onBroken = onBroken;
  }

  /**
   * What is thrown between the words of the lock table, or before a lock that was granted is noted,
   * stops the engine: here, or, if there is too little stack even for that, when the locks are
   * given back.
   */
  private void broken(Throwable why) {
    onBroken.accept(why);
  }

  /**
   * Locks of other compute nodes. If these have come in the middle of a transaction, it has the
   * locks that it has got, since a shard does not move while one of its locks is held here; from
   * now on the others can ask it to let go of them.
   */
  private RemoteLocks remote() {
    if (remote == null) {
      RemoteLocks come = others.get();
      if (come != null && isActive) {
        come.begin(priority);
        for (int entry = 0; entry < held.size(); entry++) {
          come.confirmLocal(held.key(entry));
        }
        if (isHolding) {
          come.hold();
        }
      }
      remote = come;
    }
    return remote;
  }

  /**
   * Lets compute nodes that have come since the transaction began ask for its end. On the
   * transaction's thread, at the beginning of each statement.
   */
  public void meetOthers() {
    remote();
  }

  public void begin(long priority, ConflictPolicy policy, long timeoutNanos) {
    assert held.size() == 0 : "locks of the transaction before";
    RemoteLocks known = remote();
    this.isActive = true;
    this.isHolding = false;
    this.priority = priority;
    this.policy = policy;
    this.timeoutNanos = timeoutNanos;
    this.limitNanos = timeoutNanos;
    this.noWait = false;
    this.failure = Outcome.OK;
    this.failedBehind = false;
    this.timedOut = false;
    this.isTaken = false;
    this.aheadCount = 0;
    if (known != null) {
      known.begin(priority);
    }
  }

  /**
   * Keeps the locks until the transaction ends: OK, or CONFLICT if one of them was taken away with
   * the compute node that granted it. To be called before anything is changed in the pool that the
   * locks protect, and, by a transaction that has only read under locks, before its end is told to
   * anybody.
   */
  public Outcome hold() {
    isHolding = true;
    RemoteLocks known = remote();
    return known == null || known.hold() ? Outcome.OK : outcome(taken(0, null));
  }

  /** A lock was taken away, or is wanted by somebody who waits for the end of the transaction. */
  private LockResult taken(long key, LockMode mode) {
    failedBehind = false;
    timedOut = false;
    isTaken = true;
    failedHolder = 0;
    failure = Outcome.CONFLICT;
    failedKey = key;
    failedMode = mode;
    waitedNanos = 0;
    return LockResult.DIE;
  }

  /**
   * Whether a lock was taken away, or others wait for the end of the transaction; any thread may
   * ask.
   */
  public boolean mustEnd() {
    RemoteLocks known = remote;
    return known != null && known.mustEnd();
  }

  /** Returns true if its statement has to stop, see {@link RemoteLocks#isOverdue}; any thread. */
  public boolean isOverdue() {
    RemoteLocks known = remote;
    return known != null && known.isOverdue();
  }

  /** Ends what the transaction does, as others wait for its end: CONFLICT. */
  public Outcome giveWay() {
    return outcome(taken(0, null));
  }

  /** Whether a lock was taken away: what the transaction reads from now on means nothing. */
  public boolean isDoomed() {
    return remote != null && remote.isDoomed();
  }

  /**
   * Takes the lock, or strengthens the one held, unless it is held strongly enough. Returns OK,
   * CONFLICT or CANCELLED.
   */
  public Outcome acquire(long key, LockMode mode) {
    long identity = table.identity(key);
    int entry = held.find(identity);
    if (entry >= 0) {
      lastEntry = entry;
      return mode == LockMode.READ || held.mode(entry) == LockMode.WRITE
          ? Outcome.OK
          : outcome(upgrade(entry));
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
      return outcome(result);
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  private static Outcome outcome(LockResult result) {
    return switch (result) {
      case GRANTED -> Outcome.OK;
      case CANCELLED -> Outcome.CANCELLED;
      default -> Outcome.CONFLICT;
    };
  }

  /**
   * {@link #acquire} without waiting for another transaction; NOT_FOUND if it has the lock, which
   * is no failure then.
   */
  public Outcome acquireNow(long key, LockMode mode) {
    boolean before = noWait;
    noWait = true;
    Outcome status = acquire(key, mode);
    noWait = before;
    if (status == Outcome.CONFLICT && !isTaken) {
      failure = Outcome.OK;
      return Outcome.NOT_FOUND;
    }
    return status;
  }

  /** Whether {@link #acquire} waits for nobody from now on, until the transaction ends. */
  public void setNoWait(boolean noWait) {
    this.noWait = noWait;
  }

  /** See {@link #setNoWait}. */
  public boolean isNoWait() {
    return noWait;
  }

  private ConflictPolicy policy() {
    return noWait ? ConflictPolicy.NO_WAIT : policy;
  }

  /** Whether other compute nodes may keep locks, so that {@link #acquireAhead} saves messages. */
  public boolean isShared() {
    return remote() != null;
  }

  /**
   * Takes those of the locks that other compute nodes keep, with one message for each owner and
   * {@value #AHEAD_MAX} locks, so that {@link #acquire} finds them held. A lock that is held is
   * left as it is. Returns OK, CONFLICT or CANCELLED.
   */
  public Outcome acquireAhead(long[] keys, int count, LockMode mode) {
    Outcome status = Outcome.OK;
    if (remote() != null) {
      aheadCount = 0;
      for (int i = 0; i < count && status == Outcome.OK; i++) {
        status = addAhead(keys[i], mode);
      }
    }
    return status == Outcome.OK ? finishAhead() : status;
  }

  /**
   * Adds a lock to those that {@link #finishAhead} takes, or takes these if they are many enough;
   * for whoever has no array of them. The first mode of a lock counts.
   */
  public Outcome addAhead(long key, LockMode mode) {
    if (remote() == null || remote.isLocal(key) || isHeldOrAhead(key)) {
      return Outcome.OK;
    }
    growAhead(aheadCount);
    aheadKeys[aheadCount] = key;
    aheadOperations[aheadCount++] = mode.code();
    return aheadCount == AHEAD_MAX ? finishAhead() : Outcome.OK;
  }

  /** Makes room for one more than that many. */
  private void growAhead(int size) {
    if (size == aheadKeys.length) {
      int capacity = Math.min(AHEAD_MAX, Math.max(16, 2 * size));
      aheadKeys = Arrays.copyOf(aheadKeys, capacity);
      aheadOperations = Arrays.copyOf(aheadOperations, capacity);
    }
  }

  /** Two keys may share one lock. */
  private boolean isHeldOrAhead(long key) {
    long identity = table.identity(key);
    boolean isKnown = held.find(identity) >= 0;
    for (int i = 0; i < aheadCount && !isKnown; i++) {
      isKnown = table.identity(aheadKeys[i]) == identity;
    }
    return isKnown;
  }

  /** See {@link #addAhead}. */
  public Outcome finishAhead() {
    int count = aheadCount;
    aheadCount = 0;
    if (count == 0) {
      return Outcome.OK;
    }
    if (remote.mustEnd()) {
      return outcome(taken(aheadKeys[0], LockMode.of(aheadOperations[0])));
    }
    LockResult result = requestRemote(aheadKeys, aheadOperations, count);
    for (int i = 0; i < count; i++) {
      if (remote.holds(aheadKeys[i])) {
        held.reserve();
        LockMode mode = LockMode.of(aheadOperations[i]);
        int entry = held.add(table.identity(aheadKeys[i]), aheadKeys[i], mode);
        held.setAddress(entry, remote.rowAddress(i));
      }
    }
    return result == LockResult.NOT_OWNER ? Outcome.OK : outcome(result);
  }

  /** Asks whoever decides for a lock that is not held. */
  private LockResult requestAnywhere(long key, LockMode mode) {
    if (remote() == null) {
      localLocks++;
      LockResult result = request(key, mode);
      if (result != LockResult.GRANTED || remote() == null || remote.confirmLocal(key)) {
        return result;
      }
      table.release(key, mode); // others have come meanwhile, and have the shard
    }
    return requestShared(key, mode, false);
  }

  /** Asks the lock table or another compute node, whoever decides; and again if that changes. */
  private LockResult requestShared(long key, LockMode mode, boolean upgrade) {
    long start = environment.nanoTime();
    LockResult result = LockResult.NOT_OWNER;
    while (result == LockResult.NOT_OWNER) {
      if (remote.mustEnd()) {
        result = taken(key, mode);
      } else if (!remote.isLocal(key)) {
        soleKey[0] = key;
        soleOperation[0] = upgrade ? RemoteLocks.UPGRADE : mode.code();
        result = requestRemote(soleKey, soleOperation, 1);
        soleAddress = result == LockResult.GRANTED ? remote.rowAddress(0) : 0;
      } else if (upgrade) {
        // The shard has come here, so the read lock was taken away.
        failedBehind = false;
        timedOut = false;
        result = fail(LockResult.DIE, key, mode, 0);
      } else {
        localLocks++;
        result = request(key, mode);
        if (result == LockResult.GRANTED && !remote.confirmLocal(key)) {
          table.release(key, mode);
          result = LockResult.NOT_OWNER;
        }
      }
      if (result == LockResult.NOT_OWNER) {
        limitNanos = timeoutNanos - (environment.nanoTime() - start);
      }
    }
    limitNanos = timeoutNanos;
    return result;
  }

  /** NOT_OWNER if some of the locks are this compute node's own by now. */
  private LockResult requestRemote(long[] keys, byte[] operations, int count) {
    long start = environment.nanoTime();
    boolean alone = count == 1 && !holdsLocks();
    awaitedKey = keys[0];
    awaitedMode = RemoteLocks.mode(operations[0]);
    waiting = true;
    remoteLocks += count;
    lockRoundTrips++;
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
    if (result == LockResult.DIE && remote.mustEnd()) {
      return taken(missing(keys, count), awaitedMode);
    }
    timedOut = result == LockResult.TIMED_OUT;
    failure = outcome(result);
    failedKey = missing(keys, count);
    failedMode = awaitedMode;
    failedBehind = false;
    failedHolder = remote.holder();
    waitedNanos = environment.nanoTime() - start;
    return result;
  }

  /** The first of the locks that is not held; the only one if it was to be upgraded. */
  private long missing(long[] keys, int count) {
    for (int i = 0; i < count; i++) {
      if (!remote.holds(keys[i])) {
        return keys[i];
      }
    }
    return keys[0];
  }

  private LockResult request(long key, LockMode mode) {
    LockResult result = table.tryAcquire(key, mode, priority);
    return result == LockResult.GRANTED ? result : waitFor(key, mode, result, false);
  }

  /** Hints that the lock is going to be acquired. */
  public void prefetch(long key) {
    prefetched += table.prefetch(key);
  }

  /** Whether the transaction has the lock, in whatever mode. */
  public boolean holds(long key) {
    return held.find(table.identity(key)) >= 0;
  }

  /** Whether the transaction has the lock in that mode. */
  public boolean holds(long key, LockMode mode) {
    int entry = held.find(table.identity(key));
    return entry >= 0 && held.mode(entry) == mode;
  }

  /** Whether the transaction has the lock as that of this very key. */
  public boolean holdsKey(long key) {
    int entry = held.find(table.identity(key));
    return entry >= 0 && held.key(entry) == key;
  }

  /** How many locks are held, but for those of {@link #enterInsert} and the like. */
  public int count() {
    return held.size();
  }

  /** Gives back the lock that was taken last: nothing has been made of what it protects. */
  public void giveBackLast() {
    int entry = held.size() - 1;
    long key = held.key(entry);
    LockMode mode = held.mode(entry);
    held.removeLast();
    release(key, mode);
  }

  /** Whether another transaction may be writing the row; it would have its lock. */
  public boolean mayBeWritten(long key) {
    if (holds(key, LockMode.WRITE)) {
      return false;
    }
    boolean isAlone = remote() == null;
    boolean isLocked = isAlone && table.isWriteLocked(key);
    return isLocked || remote() != null && remote.mayBeWriteLocked(key);
  }

  /** Notes where the row of the lock last acquired is. */
  public void setRowAddress(long cvt) {
    held.setAddress(lastEntry, cvt);
  }

  /**
   * Where the row of the lock last acquired was found, or is by what its granter says; 0 if it was
   * not looked for.
   */
  public long rowAddress() {
    return held.address(lastEntry);
  }

  /** Where the row of a lock is, as {@link #rowAddress()} says; 0 if the lock is not held. */
  public long rowAddress(long key) {
    int entry = held.find(table.identity(key));
    return entry < 0 ? 0 : held.address(entry);
  }

  private LockResult upgrade(int entry) {
    long key = held.key(entry);
    requesting = true;
    try {
      LockResult result =
          remote != null && remote.holds(key)
              ? requestShared(key, LockMode.WRITE, true)
              : requestUpgrade(key);
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

  private LockResult requestUpgrade(long key) {
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
        if (remote != null && remote.mustEnd()) {
          return taken(key, mode);
        }
        if (!mayWait(key, result, behind, waited)) {
          failedBehind = result == LockResult.BEHIND;
          timedOut = waited >= limitNanos;
          return fail(LockResult.DIE, key, mode, waited);
        }
        if (cancellationToken.isSet()) {
          return fail(LockResult.CANCELLED, key, mode, waited);
        }
        if (!announced
            && attempt >= PATIENCE
            && result != LockResult.BEHIND
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

  private boolean mayWait(long key, LockResult result, int behind, long waited) {
    if (policy() == ConflictPolicy.NO_WAIT || waited >= limitNanos) {
      return result == LockResult.WAIT
          && waited < Math.max(limitNanos, COLLECTOR_NANOS)
          && isHeldByCollector(key);
    }
    return !holdsLocks()
        || result == LockResult.WAIT
        || result == LockResult.BEHIND && behind <= BEHIND_POLLS;
  }

  private boolean holdsLocks() {
    return held.size() > 0 || insertGranted || remote != null && remote.holdsAny();
  }

  /** Even whoever does not wait for transactions waits for collectors: they are not a conflict. */
  private boolean isHeldByCollector(long key) {
    long holder = table.holderPriority(key);
    return holder == 0 || Priority.isOfCollector(holder);
  }

  /** Whether a lock is being waited for just now; any thread may ask. */
  public boolean isWaiting() {
    return waiting;
  }

  /** Requests for locks so far; for the thread of the transaction. */
  public LockCounts counts() {
    return new LockCounts(localLocks, remoteLocks, lockRoundTrips);
  }

  /** The locks held, and the one that is waited for; any thread may ask, see {@link LockSet}. */
  public List<LockState> states() {
    List<LockState> states = new ArrayList<>();
    held.addTo(states);
    if (waiting) {
      states.add(new LockState(awaitedKey, awaitedMode, PoolAddress.NULL, false));
    }
    return states;
  }

  private LockResult fail(LockResult result, long key, LockMode mode, long waited) {
    failure = outcome(result);
    failedKey = key;
    failedMode = mode;
    failedHolder = failedBehind ? table.waiterPriority(key) : table.holderPriority(key);
    waitedNanos = waited;
    return result;
  }

  /**
   * Gives back every lock.
   *
   * @throws IllegalStateException if a request was left half way: a lock may stay that nobody holds
   */
  public void releaseAll() {
    checkNotBroken();
    for (int entry = 0, size = held.size(); entry < size; entry++) {
      if (remote == null || !remote.holds(held.key(entry))) {
        release(held.key(entry), held.mode(entry));
      }
    }
    held.clear();
    isActive = false;
    if (remote != null) {
      remote.end();
    }
  }

  /**
   * Waits until the lock that the ended transaction was refused has no older holder or waiter, for
   * at most {@link #OLDER_NANOS}. The next transaction inherits the priority, so a retry that
   * begins earlier is refused again by the same holder, after it has repeated all its work. Nothing
   * is held meanwhile, so the wait is in no cycle. Returns at once after a lock timeout, under
   * {@link ConflictPolicy#NO_WAIT}, and if the last request did not fail by a conflict.
   */
  public void awaitOlder() {
    assert !isActive : "waits for other transactions with its locks";
    if (failure != Outcome.CONFLICT || isTaken || timedOut || policy() == ConflictPolicy.NO_WAIT) {
      return;
    }
    long start = environment.nanoTime();
    long waited = 0;
    boolean announced = false;
    boolean isRefused = true;
    for (int attempt = 0; isRefused && waited < OLDER_NANOS; attempt++) {
      if (remote != null && !remote.isLocal(failedKey)) {
        remote.awaitOlder(failedKey, OLDER_NANOS - waited, cancellationToken);
        isRefused = remote.isLocal(failedKey); // the shard has come here meanwhile
      } else {
        isRefused = table.hasOlder(failedKey, priority);
        if (isRefused) {
          announced = announced || attempt >= PATIENCE && table.announce(failedKey, priority);
          environment.backoffLong(attempt);
        }
      }
      isRefused &= !cancellationToken.isSet();
      waited = environment.nanoTime() - start;
    }
    if (announced) {
      table.withdraw(failedKey);
    }
    if (waited > 0) {
      table.countWait(waited);
    }
  }

  private void checkNotBroken() {
    if (requesting) {
      throw new IllegalStateException("a request for a lock was ended half way");
    }
  }

  /** The status with which the last request of the index for a leaf failed. */
  public Outcome failure() {
    return failure;
  }

  /** Whether the last request failed since the lock timeout was over. */
  public boolean isTimedOut() {
    return timedOut;
  }

  /** The key of the last failed request. */
  public long failedLock() {
    return failedKey;
  }

  /** What the last failed request was about, as far as is known here. */
  public String describeFailure() {
    return describeFailure(0, null, null);
  }

  /**
   * What the last failed request was about, for the error message.
   *
   * @param rowKey LOTUS key of the row that was wanted; 0 if there is none
   * @param row what that row is called
   * @param other what other locks are on that the operation needs; null if that is not known
   */
  public String describeFailure(long rowKey, String row, String other) {
    if (isTaken) {
      return "another compute node keeps, or is to keep, a lock that the transaction relies on";
    }
    String what =
        row != null && failedKey == rowKey
            ? row
            : other != null
                ? other
                : failedKey >>> PoolAddress.BITS == 0
                    ? "index leaf " + PoolAddress.toString(failedKey)
                    : "row with key hash 0x" + Long.toHexString(failedKey);
    return (failedMode == LockMode.WRITE
            ? "write"
            : failedMode == LockMode.READ ? "read" : "insert")
        + " lock on "
        + what
        + whoIsInTheWay()
        + (waitedNanos > 0 ? " (waited " + waitedNanos / 1000 + " us)" : "");
  }

  private String whoIsInTheWay() {
    if (remote != null && !remote.hasKeeper(failedKey)) {
      return " was not granted: the compute node that kept it has failed, and no other one keeps it"
          + " yet";
    }
    if (failedHolder == 0 && timedOut && remote != null && !remote.isLocal(failedKey)) {
      return " was not granted: the compute node that keeps it does not answer";
    }
    if (failedHolder == 0) {
      return " was not granted, and nobody is known to have it";
    }
    return (failedBehind ? " is waited for by the older transaction " : " is held by transaction ")
        + Long.toHexString(failedHolder);
  }

  @Override
  public boolean enterScan(long leafAddress) {
    return acquire(leafAddress, LockMode.READ) == Outcome.OK;
  }

  /**
   * A leaf this transaction has scanned itself is taken in write mode and kept (it has to be the
   * only scanner); any other is held in insert mode until the entry is in.
   */
  @Override
  public boolean enterInsert(long leafAddress) {
    insertGranted = false;
    int entry = held.find(table.identity(leafAddress));
    if (entry >= 0) {
      return held.mode(entry) == LockMode.WRITE || upgrade(entry) == LockResult.GRANTED;
    }
    requesting = true;
    try {
      insertGranted = requestAnywhere(leafAddress, LockMode.INSERT) == LockResult.GRANTED;
      requesting = false;
      return insertGranted;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  /**
   * Enters several locks as an inserter, {@link #exitInserts} gives them back. Those of other
   * compute nodes take one message for each owner. A lock that is held for reading becomes a write
   * lock, and stays.
   *
   * @param keys all different; those that are entered are put first
   * @return how many these are; -1 after a {@link #failure}: then none is
   */
  public int enterInserts(long[] keys, int count) {
    boolean granted = remote() == null || enterAhead(keys, count) == Outcome.OK;
    int entered = 0;
    for (int i = 0; i < count && granted; i++) {
      long key = keys[i];
      insertGranted = isEnteredAhead(key);
      granted = insertGranted || enterInsert(key);
      if (insertGranted) {
        keys[i] = keys[entered];
        keys[entered++] = key;
      }
    }
    insertGranted = false;
    if (granted) {
      return entered;
    }
    exitInserts(keys, entered);
    for (int i = entered; i < count; i++) {
      if (isEnteredAhead(keys[i])) {
        release(keys[i], LockMode.INSERT);
      }
    }
    return -1;
  }

  private Outcome enterAhead(long[] keys, int count) {
    Outcome status = Outcome.OK;
    for (int i = 0; i < count && status == Outcome.OK; ) {
      int asked = 0;
      for (; i < count && asked < AHEAD_MAX; i++) {
        if (!remote.isLocal(keys[i]) && !holds(keys[i])) {
          growAhead(asked);
          aheadKeys[asked] = keys[i];
          aheadOperations[asked++] = LockMode.INSERT.code();
        }
      }
      status = asked == 0 ? Outcome.OK : requestAhead(asked);
    }
    return status;
  }

  /** OK also if some are this compute node's own by now, which are not taken. */
  private Outcome requestAhead(int count) {
    if (remote.mustEnd()) {
      return outcome(taken(aheadKeys[0], LockMode.of(aheadOperations[0])));
    }
    LockResult result = requestRemote(aheadKeys, aheadOperations, count);
    return result == LockResult.NOT_OWNER ? Outcome.OK : outcome(result);
  }

  private boolean isEnteredAhead(long key) {
    return remote != null && remote.holds(key) && !holds(key);
  }

  /** Gives back what {@link #enterInserts} has taken. */
  public void exitInserts(long[] keys, int count) {
    for (int i = 0; i < count; i++) {
      release(keys[i], LockMode.INSERT);
    }
  }

  @Override
  public void exitInsert(long leafAddress) {
    if (insertGranted) {
      release(leafAddress, LockMode.INSERT);
      insertGranted = false;
    }
  }

  @Override
  public boolean tryEnterInsert(long leafAddress) {
    return held.find(table.identity(leafAddress)) < 0
        && tryAcquire(leafAddress, LockMode.INSERT, 0);
  }

  /** Takes a lock if that is possible now; {@code identity} to note it under, 0 not to note it. */
  private boolean tryAcquire(long key, LockMode mode, long identity) {
    if (remote() != null && !remote.isLocal(key)) {
      // That would take a message, and latches may be held.
      return false;
    }
    requesting = true;
    try {
      boolean granted = table.tryAcquire(key, mode, priority) == LockResult.GRANTED;
      if (granted && remote() != null && !remote.confirmLocal(key)) {
        table.release(key, mode);
        granted = false;
      }
      if (granted && identity != 0) {
        held.add(identity, key, mode);
      }
      requesting = false;
      return granted;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  private void release(long key, LockMode mode) {
    if (remote != null && remote.release(key)) {
      return;
    }
    requesting = true;
    try {
      table.release(key, mode);
      requesting = false;
    } catch (RuntimeException | Error e) {
      broken(e);
      throw e;
    }
  }

  @Override
  public void exitTriedInsert(long leafAddress) {
    release(leafAddress, LockMode.INSERT);
  }

  /** What this transaction scanned of the one leaf is in the other one from now on. */
  @Override
  public boolean passRange(long from, long to) {
    return held.find(table.identity(from)) < 0 || acquire(to, LockMode.READ) == Outcome.OK;
  }

  @Override
  public boolean tryPassRange(long from, long to) {
    long identity = table.identity(to);
    if (held.find(table.identity(from)) < 0 || held.find(identity) >= 0) {
      return true;
    }
    held.reserve();
    return tryAcquire(to, LockMode.READ, identity);
  }
}
