package org.nelumbo.executor.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.index.LeafGuard;
import org.nelumbo.executor.cache.OwnedLeaves;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.session.ConflictPolicy;

/**
 * Acquires and releases the locks of one transaction after another. Releases only locks that were
 * acquired, each lock once (invariants 4 and 11 of {@code docs/architecture.md}).
 *
 * <p>{@link LockDispatcher} acquires each lock from its owner, {@link LockWaiter} waits for it,
 * {@link LockBatch} acquires remote locks together, {@link LeafLocks} guards the leaves of ordered
 * indexes, and {@link LockFailure} describes a failed request.
 */
public final class LockAcquirer extends KeyLocks {
  private final LockTable table;
  private final LockSet held;
  private final RemoteAccess remotes;
  private final LockFailure failure;
  private final LockWaiter waiter;
  private final LockDispatcher dispatcher;
  private final LeafLocks leaves;
  private final LockBatch batch;

  /** Consumes the loads of prefetches, so that they are not optimised away. */
  @SuppressWarnings("UnusedVariable")
  private long prefetched;

  /**
   * Creates an acquirer for an exclusive pool.
   *
   * @param onBroken receives the exception that has interrupted a request half way; locks without a
   *     holder may remain
   */
  public LockAcquirer(
      Environment environment,
      LockTable table,
      LockSet held,
      CancellationToken cancellationToken,
      Consumer<Throwable> onBroken) {
    this(environment, table, held, cancellationToken, onBroken, null, OwnedLeaves.NONE);
  }

  /**
   * Creates an acquirer.
   *
   * @param onBroken receives the exception that has interrupted a request half way; locks without a
   *     holder may remain
   * @param others the remote locks; null in an exclusive pool
   * @param images images of leaves whose locks are granted here
   */
  public LockAcquirer(
      Environment environment,
      LockTable table,
      LockSet held,
      CancellationToken cancellationToken,
      Consumer<Throwable> onBroken,
      RemoteLocks others,
      OwnedLeaves images) {
    this.table = table;
    this.held = held;
    this.remotes = new RemoteAccess(others);
    this.failure = new LockFailure(remotes);
    this.waiter = new LockWaiter(environment, table, held, cancellationToken, remotes, failure);
    this.dispatcher =
        new LockDispatcher(environment, table, held, onBroken, remotes, waiter, failure);
    this.leaves = new LeafLocks(table, held, dispatcher, images);
    this.batch = new LockBatch(table, held, remotes, waiter, failure, dispatcher, leaves);
  }

  @Override
  public void begin(long priority, ConflictPolicy policy, long timeoutNanos) {
    assert held.size() == 0 : "locks of the previous transaction";
    waiter.begin(priority, policy, timeoutNanos);
    failure.clear();
    batch.clear();
    remotes.begin(priority);
  }

  @Override
  public Outcome hold() {
    return remotes.hold() ? Outcome.OK : giveWay();
  }

  @Override
  public boolean mustEnd() {
    return remotes.mustEnd();
  }

  @Override
  public boolean isOverdue() {
    return remotes.isOverdue();
  }

  @Override
  public Outcome giveWay() {
    return failure.taken(0, null).outcome();
  }

  @Override
  public boolean isRevoked() {
    return remotes.isRevoked();
  }

  @Override
  public void releaseAll() {
    dispatcher.releaseAll();
  }

  @Override
  public void awaitOlder() {
    waiter.awaitOlder();
  }

  @Override
  public Outcome acquire(long key, LockMode mode) {
    return dispatcher.acquire(key, mode).outcome();
  }

  @Override
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

  @Override
  public void setNoWait(boolean noWait) {
    waiter.setNoWait(noWait);
  }

  @Override
  public boolean isNoWait() {
    return waiter.isNoWait();
  }

  @Override
  public void prefetch(long key) {
    prefetched += table.prefetch(key);
  }

  @Override
  public void giveBackLast() {
    dispatcher.releaseLast();
  }

  @Override
  public boolean isShared() {
    return remotes.get() != null;
  }

  @Override
  public Outcome acquireAhead(long[] keys, int count, LockMode mode) {
    return batch.acquire(keys, count, mode).outcome();
  }

  @Override
  public Outcome addAhead(long key, LockMode mode) {
    return batch.add(key, mode).outcome();
  }

  @Override
  public Outcome finishAhead() {
    return batch.finish().outcome();
  }

  @Override
  public int enterInserts(long[] keys, int count) {
    return batch.enterInserts(keys, count);
  }

  @Override
  public void exitInserts(long[] keys, int count) {
    batch.exitInserts(keys, count);
  }

  @Override
  public LeafGuard leafGuard() {
    return leaves;
  }

  @Override
  public boolean holds(long key) {
    return held.find(table.identity(key)) >= 0;
  }

  @Override
  public boolean holds(long key, LockMode mode) {
    int entry = held.find(table.identity(key));
    return entry >= 0 && held.mode(entry) == mode;
  }

  @Override
  public boolean holdsKey(long key) {
    int entry = held.find(table.identity(key));
    return entry >= 0 && held.key(entry) == key;
  }

  @Override
  public int count() {
    return held.size();
  }

  @Override
  public boolean mayBeWritten(long key) {
    if (holds(key, LockMode.WRITE)) {
      return false;
    }
    RemoteLocks remote = remotes.get();
    return remote == null ? table.isWriteLocked(key) : remote.mayBeWriteLocked(key);
  }

  @Override
  public void setRowAddress(long cvt) {
    held.setAddress(dispatcher.lastEntry(), cvt);
  }

  @Override
  public long rowAddress() {
    return held.address(dispatcher.lastEntry());
  }

  @Override
  public long rowAddress(long key) {
    int entry = held.find(table.identity(key));
    return entry < 0 ? 0 : held.address(entry);
  }

  @Override
  public boolean isWaiting() {
    return waiter.isWaiting();
  }

  @Override
  public LockCounts counts() {
    return waiter.counts();
  }

  @Override
  public List<LockState> states() {
    List<LockState> states = new ArrayList<>();
    held.addTo(states);
    waiter.addTo(states);
    return states;
  }

  @Override
  public Outcome failure() {
    return failure.outcome();
  }

  @Override
  public boolean isTimedOut() {
    return failure.isTimedOut();
  }

  @Override
  public long failedLock() {
    return failure.key();
  }

  @Override
  public String describeFailure(long rowKey, String row, String other) {
    return failure.describe(rowKey, row, other);
  }
}
