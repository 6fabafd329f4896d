package org.nelumbo.executor.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;

/**
 * Takes and gives back the locks of one transaction after another. Only what was acquired is
 * released, each lock once (invariants 4 and 11 of {@code docs/architecture.md}).
 *
 * <p>{@link LockDispatcher} takes each lock from whoever decides on it, {@link LockWaiter} waits
 * for it, {@link LockBatch} takes remote locks together, {@link LeafLocks} guards the leaves of
 * ordered indexes, and {@link LockFailure} describes a request that failed.
 */
public final class LockAcquirer {
  private final LockTable table;
  private final LockSet held;
  private final RemoteAccess remotes;
  private final LockFailure failure;
  private final LockWaiter waiter;
  private final LockDispatcher dispatcher;
  private final LeafLocks leaves;
  private final LockBatch batch;

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
    this.table = table;
    this.held = held;
    this.remotes = new RemoteAccess(held, others);
    this.failure = new LockFailure(remotes);
    this.waiter = new LockWaiter(environment, table, held, cancellationToken, remotes, failure);
    this.dispatcher =
        new LockDispatcher(environment, table, held, onBroken, remotes, waiter, failure);
    this.leaves = new LeafLocks(table, held, dispatcher);
    this.batch = new LockBatch(table, held, remotes, waiter, failure, dispatcher, leaves);
  }

  // The transaction.

  public void begin(long priority, ConflictPolicy policy, long timeoutNanos) {
    assert held.size() == 0 : "locks of the transaction before";
    waiter.begin(priority, policy, timeoutNanos);
    failure.clear();
    batch.clear();
    remotes.begin(priority);
  }

  /**
   * Lets compute nodes that have come since the transaction began ask for its end. On the
   * transaction's thread, at the beginning of each statement.
   */
  public void meetOthers() {
    remotes.get();
  }

  /**
   * Keeps the locks until the transaction ends: OK, or CONFLICT if one of them was taken away with
   * the compute node that granted it. To be called before anything is changed in the pool that the
   * locks protect, and, by a transaction that has only read under locks, before its end is told to
   * anybody.
   */
  public Outcome hold() {
    return remotes.hold() ? Outcome.OK : giveWay();
  }

  /**
   * Whether a lock was taken away, or others wait for the end of the transaction; any thread may
   * ask.
   */
  public boolean mustEnd() {
    return remotes.mustEnd();
  }

  /** Returns true if its statement has to stop, see {@link RemoteLocks#isOverdue}; any thread. */
  public boolean isOverdue() {
    return remotes.isOverdue();
  }

  /** Ends what the transaction does, as others wait for its end: CONFLICT. */
  public Outcome giveWay() {
    return failure.taken(0, null).outcome();
  }

  /** Whether a lock was taken away: what the transaction reads from now on means nothing. */
  public boolean isDoomed() {
    return remotes.isDoomed();
  }

  /**
   * Gives back every lock.
   *
   * @throws IllegalStateException if a request was left half way: a lock may stay that nobody holds
   */
  public void releaseAll() {
    dispatcher.releaseAll();
  }

  /**
   * Waits until the lock that the ended transaction was refused has no older holder or waiter, for
   * a short time at most: a retry that begins earlier is refused again by the same holder. Returns
   * at once if the last request did not fail by a conflict with another transaction.
   */
  public void awaitOlder() {
    waiter.awaitOlder();
  }

  // Locks.

  /**
   * Takes the lock, or strengthens the one held, unless it is held strongly enough. Returns OK,
   * CONFLICT or CANCELLED.
   */
  public Outcome acquire(long key, LockMode mode) {
    return dispatcher.acquire(key, mode).outcome();
  }

  /**
   * {@link #acquire} without waiting for another transaction; NOT_FOUND if it has the lock, which
   * is no failure then.
   */
  public Outcome acquireNow(long key, LockMode mode) {
    boolean before = waiter.isNoWait();
    waiter.setNoWait(true);
    Outcome status = acquire(key, mode);
    waiter.setNoWait(before);
    if (status == Outcome.CONFLICT && !failure.isTaken()) {
      failure.forgive();
      return Outcome.NOT_FOUND;
    }
    return status;
  }

  /** Whether {@link #acquire} waits for nobody from now on, until the transaction ends. */
  public void setNoWait(boolean noWait) {
    waiter.setNoWait(noWait);
  }

  /** See {@link #setNoWait}. */
  public boolean isNoWait() {
    return waiter.isNoWait();
  }

  /** Hints that the lock is going to be acquired. */
  public void prefetch(long key) {
    prefetched += table.prefetch(key);
  }

  /** Gives back the lock that was taken last: nothing has been made of what it protects. */
  public void giveBackLast() {
    dispatcher.releaseLast();
  }

  /** Whether other compute nodes may keep locks, so that {@link #acquireAhead} saves messages. */
  public boolean isShared() {
    return remotes.get() != null;
  }

  /**
   * Takes those of the locks that other compute nodes keep, with one message for each owner and
   * {@value LockBatch#LOCKS_MAX} locks, so that {@link #acquire} finds them held. A lock that is
   * held is left as it is. Returns OK, CONFLICT or CANCELLED.
   */
  public Outcome acquireAhead(long[] keys, int count, LockMode mode) {
    return batch.acquire(keys, count, mode).outcome();
  }

  /**
   * Adds a lock to those that {@link #finishAhead} takes, or takes these if they are many enough;
   * for whoever has no array of them. The first mode of a lock counts.
   */
  public Outcome addAhead(long key, LockMode mode) {
    return batch.add(key, mode).outcome();
  }

  /** See {@link #addAhead}. */
  public Outcome finishAhead() {
    return batch.finish().outcome();
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
    return batch.enterInserts(keys, count);
  }

  /** Gives back what {@link #enterInserts} has taken. */
  public void exitInserts(long[] keys, int count) {
    batch.exitInserts(keys, count);
  }

  /** Returns the guard by which ordered indexes lock their leaves for the transaction. */
  public LeafGuard leafGuard() {
    return leaves;
  }

  // Questions.

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

  /** How many locks are held, but for those of {@link #enterInserts} and of inserted entries. */
  public int count() {
    return held.size();
  }

  /** Whether another transaction may be writing the row; it would have its lock. */
  public boolean mayBeWritten(long key) {
    if (holds(key, LockMode.WRITE)) {
      return false;
    }
    boolean isLocked = remotes.get() == null && table.isWriteLocked(key);
    RemoteLocks remote = remotes.get();
    return isLocked || remote != null && remote.mayBeWriteLocked(key);
  }

  /** Notes where the row of the lock last acquired is. */
  public void setRowAddress(long cvt) {
    held.setAddress(dispatcher.lastEntry(), cvt);
  }

  /**
   * Where the row of the lock last acquired was found, or is by what its granter says; 0 if it was
   * not looked for.
   */
  public long rowAddress() {
    return held.address(dispatcher.lastEntry());
  }

  /** Where the row of a lock is, as {@link #rowAddress()} says; 0 if the lock is not held. */
  public long rowAddress(long key) {
    int entry = held.find(table.identity(key));
    return entry < 0 ? 0 : held.address(entry);
  }

  /** Whether a lock is being waited for just now; any thread may ask. */
  public boolean isWaiting() {
    return waiter.isWaiting();
  }

  /** Requests for locks so far; for the thread of the transaction. */
  public LockCounts counts() {
    return waiter.counts();
  }

  /** The locks held, and the one that is waited for; any thread may ask, see {@link LockSet}. */
  public List<LockState> states() {
    List<LockState> states = new ArrayList<>();
    held.addTo(states);
    waiter.addTo(states);
    return states;
  }

  // The last failure.

  /** The status with which the last request of the index for a leaf failed. */
  public Outcome failure() {
    return failure.outcome();
  }

  /** Whether the last request failed since the lock timeout was over. */
  public boolean isTimedOut() {
    return failure.isTimedOut();
  }

  /** The key of the last failed request. */
  public long failedLock() {
    return failure.key();
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
    return failure.describe(rowKey, row, other);
  }
}
