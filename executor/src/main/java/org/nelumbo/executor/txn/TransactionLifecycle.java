package org.nelumbo.executor.txn;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.commit.CommitLog;
import org.nelumbo.executor.commit.CommitLogs;
import org.nelumbo.executor.commit.CommitProtocol;
import org.nelumbo.executor.commit.LotusCommitter;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.context.ChangeTracker;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.context.FailStop;
import org.nelumbo.executor.context.Leftovers;
import org.nelumbo.executor.context.PoolMemory;
import org.nelumbo.executor.gc.RetireQueue;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.index.PendingEntries;
import org.nelumbo.executor.limit.SessionLimits;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.timestamp.Clock;
import org.nelumbo.executor.timestamp.Timestamps;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowGuard;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/**
 * The lifecycle of one coordinator's transactions: begin, savepoint, rollback, end. It also holds
 * the state that carries over to the next transaction: the conflict policy, and the priority of a
 * transaction that lost a conflict and is retried. Used by one thread at a time.
 */
final class TransactionLifecycle {
  /** Number of rows up to which a commit is so short that cancellation is not checked. */
  private static final int SMALL_COMMIT = 1 << 12;

  private final int slot;
  private final ComputeNodeEntry node;
  private final boolean isShared;
  private final Clock clock;
  private final PoolMemory memory;
  private final ChangeTracker changes;
  private final FailStop failStop;
  private final CriticalSection critical;
  private final Leftovers leftovers;
  private final Channel channel;
  private final ReadView view;
  private final SessionLimits limits;
  private final CancellationToken cancellation;
  private final KeyLocks locks;

  /** Null under LOTUS. */
  private final RowGuard guard;

  private final WriteSet writes;
  private final IndexJournal journal;
  private final IndexWriter indexWriter;
  private final PendingEntries pendingEntries;
  private final RowOperations rowOperations;
  private final CommitLog commitLog;
  private final CommitProtocol committer;
  private final RetireQueue retireQueue;
  private final TransactionReadCache cache;
  private final TransactionCounts counts = new TransactionCounts();
  private final TransactionContext context;

  private ConflictPolicy conflictPolicy;
  private long lockTimeoutNanos;
  private boolean active;

  /** The loss of the pool after the writes had become visible; null if that has not happened. */
  private FabricException poolLoss;

  /** True if the transaction may have read rows that are not durable yet. */
  private boolean readsUnforced;

  private long retainedPriority;

  /** Timestamp of the first failure of the allocation that is being retried. */
  private long fullSince;

  private AbortCause abortCause = AbortCause.OTHER;
  private Isolation isolation = Isolation.SERIALIZABLE;

  TransactionLifecycle(
      TransactionContext context,
      RowOperations rowOperations,
      ConflictPolicy conflictPolicy,
      long lockTimeoutNanos) {
    this.context = context;
    this.slot = context.coordinator.slot();
    this.node = context.coordinator.node();
    this.isShared = context.coordinator.isShared();
    this.clock = context.coordinator.clock();
    this.memory = context.coordinator.memory();
    this.changes = context.coordinator.changes();
    this.failStop = context.coordinator.failStop();
    this.critical = context.coordinator.critical();
    this.leftovers = context.coordinator.leftovers();
    this.channel = context.coordinator.channel();
    this.view = context.view;
    this.limits = context.limits;
    this.cancellation = context.cancellation;
    this.locks = context.locks;
    this.guard = context.guard;
    this.writes = context.writes;
    this.journal = context.journal;
    this.indexWriter = context.indexWriter;
    this.pendingEntries = context.pendingEntries;
    this.rowOperations = rowOperations;
    this.retireQueue = context.retireQueue();
    this.commitLog = CommitLogs.of(context.coordinator);
    this.committer =
        new LotusCommitter(
            context.coordinator, writes, context.log(), commitLog, retireQueue.garbage());
    this.cache = context.cache;
    this.conflictPolicy = conflictPolicy;
    this.lockTimeoutNanos = lockTimeoutNanos;
  }

  TransactionCounts counts() {
    return counts;
  }

  boolean isActive() {
    return active;
  }

  Isolation isolation() {
    return isolation;
  }

  /** See {@link Transaction#setConflictPolicy}. */
  void setConflictPolicy(ConflictPolicy policy, long timeoutNanos) {
    conflictPolicy = policy;
    lockTimeoutNanos = timeoutNanos;
  }

  /** See {@link Transaction#beginSingleRead}. */
  void beginSingleRead(Isolation level) {
    enter(level);
    view.beginSingleRead();
    readsUnforced = commitLog.isAhead();
    beginLocks();
  }

  /** See {@link Transaction#beginCut}. */
  void beginCut() {
    enter(Isolation.SNAPSHOT);
    view.beginCut();
    readsUnforced = commitLog.isAhead();
    beginLocks();
  }

  /** See {@link Transaction#begin}. */
  void begin(Isolation level, boolean isReadOnly) {
    enter(level);
    if (isReadOnly) {
      view.beginReadOnly();
      if (isShared) {
        cache.snapshotRead();
      }
      readsUnforced = commitLog.isAhead();
    } else {
      readsUnforced = true;
      cache.beginReadWrite();
      if (level == Isolation.SNAPSHOT) {
        view.beginSnapshot();
      } else {
        view.beginLocking();
      }
    }
    beginLocks();
  }

  private void enter(Isolation level) {
    if (active) {
      throw new IllegalStateException("a transaction is active on this coordinator");
    }
    critical.check();
    failStop.check();
    if (poolLoss != null) {
      throw poolLoss;
    }
    assert writes.isEmpty() : "writes of the previous transaction";
    channel.release(0); // left behind by an exception
    retireQueue.enter();
    active = true; // set first: from here on the transaction has to be ended
    context.lastFailure = null;
    committer.begin();
    isolation = level;
  }

  private void beginLocks() {
    long priority = retainedPriority != 0 ? retainedPriority : newPriority();
    retainedPriority = priority;
    locks.begin(priority, conflictPolicy, lockTimeoutNanos);
  }

  private long newPriority() {
    return isShared
        ? Priority.of(view.startTimestamp(), slot, node.entry())
        : Priority.of(view.startTimestamp(), slot);
  }

  /** See {@link Transaction#savepoint}. */
  long savepoint() {
    return ((long) writes.mark() << 32) | journal.size();
  }

  /** See {@link Transaction#rollbackTo}. */
  void rollbackTo(long savepoint) {
    changes.begin();
    view.pin();
    indexWriter.rollbackTo((int) savepoint);
    writes.rollbackTo((int) (savepoint >>> 32));
    view.unpin();
    changes.end();
  }

  /** See {@link Transaction#commit}. */
  Outcome commit() {
    if (!active) {
      throw new IllegalStateException("no transaction is active on this coordinator");
    }
    Outcome status = Outcome.OK;
    if (!writes.isEmpty()) {
      status = mayWrite();
      status = status == Outcome.OK ? commitWrites() : status;
    } else {
      cache.confirm(channel, view.isSnapshot());
      status = locks.hold();
      status = status == Outcome.OK ? validate() : status;
    }
    if (status != Outcome.OK) {
      context.lastFailure = status;
      abort();
      return status;
    }
    retainedPriority = 0;
    count();
    boolean isRead = readsUnforced();
    if (poolLoss != null) {
      endStopped();
    } else {
      end();
    }
    commitLog.awaitForced(isRead);
    return Outcome.OK;
  }

  private Outcome mayWrite() {
    if (memory.liveCopies() < memory.minCopies()) {
      return Outcome.TOO_FEW_COPIES;
    }
    return clock.now() < Timestamps.END ? Outcome.OK : Outcome.NO_TIMESTAMPS;
  }

  /** See {@link Transaction#confirmReads}. */
  void confirmReads() {
    cache.confirm(channel, view.isSnapshot());
    if (readsUnforced && view.isReadOnly()) {
      readsUnforced = false;
      commitLog.awaitForced(true);
    }
  }

  /** See {@link Transaction#durability}. */
  Durability durability() {
    return commitLog.durability();
  }

  /** See {@link Transaction#setDurability}. */
  void setDurability(Durability value) {
    commitLog.setDurability(value);
  }

  private boolean readsUnforced() {
    return readsUnforced;
  }

  /** A failure to count does not change the outcome of the commit. */
  private void count() {
    try {
      if (!writes.isEmpty()) {
        counts.countCopies(memory.liveCopies());
      }
      counts.countCommitted();
    } catch (RuntimeException | Error e) {
      leftovers.note("the count of commits", e);
    }
  }

  /** Once the writes are visible the transaction is committed, whatever is thrown. */
  private Outcome commitWrites() {
    failStop.check();
    try {
      return writeAndTidyUp();
    } catch (RuntimeException | Error e) {
      if (!committer.isVisible()) {
        throw e;
      }
      leftovers.note("after a commit", e);
      poolLoss = e instanceof FabricException loss ? loss : null;
      return Outcome.OK;
    }
  }

  private Outcome writeAndTidyUp() {
    changes.begin();
    view.pin();
    Outcome status = write();
    if (status == Outcome.EXHAUSTED) {
      memory.refreshHorizon();
      status = write();
    }
    for (int attempt = 0; status == Outcome.EXHAUSTED && mayAwait(attempt); attempt++) {
      status = write();
    }
    if (status == Outcome.OK) {
      tidyUp();
    }
    changes.end();
    return status;
  }

  private boolean mayAwait(int attempt) {
    return !cancellation.isSet() && awaitGarbage(attempt);
  }

  /**
   * Unless the epoch belongs to a snapshot, it is not pinned during the wait: the reclamation of
   * the awaited memory may depend on this epoch.
   */
  private boolean awaitGarbage(int attempt) {
    view.unpin();
    view.pause();
    boolean hope = awaitMemory(attempt);
    view.pin();
    return hope;
  }

  /** See {@link Transaction#awaitMemory}. */
  boolean awaitMemory(int attempt) {
    if (active) {
      retireQueue.giveAway();
    }
    if (attempt == 0) {
      fullSince = clock.now();
    }
    return memory.awaitGarbage(attempt, fullSince);
  }

  /** An exception leaves the work undone; the next attach of the pool then finds the rest. */
  private void tidyUp() {
    committer.tidyUp();
    journal.retireStale(writes, retireQueue.garbage(), clock.now());
    rowOperations.removeFreshRows(false);
  }

  /**
   * An entry is in its index before the commit timestamp is drawn, so that later snapshots find the
   * row.
   */
  private Outcome write() {
    Outcome status = locks.hold();
    if (status == Outcome.OK) {
      status = pendingEntries.flush();
    }
    if (status != Outcome.OK) {
      return status;
    }
    if (writes.size() > SMALL_COMMIT && cancellation.isCancelled()) {
      return Outcome.CANCELLED; // last chance: the following steps always run to their end
    }
    assert journal.pending() == 0 : "entries are missing in their indexes";
    assert isWriteLocked() : "a row is written without its lock";
    assert !locks.isRevoked() : "a row is written although its lock was revoked";
    assert view.isPinned() : "follows addresses without a pinned epoch";
    status = validate();
    return status == Outcome.OK ? committer.commit() : status;
  }

  private Outcome validate() {
    return guard == null ? Outcome.OK : guard.validate();
  }

  private boolean isWriteLocked() {
    for (int entry = 0; entry < writes.size(); entry++) {
      if (!locks.holds(writes.lotusKey(entry), LockMode.WRITE)) {
        return false;
      }
    }
    return true;
  }

  /** See {@link Transaction#abort}. */
  void abort() {
    if (!active) {
      return;
    }
    critical.check();
    if (failStop.isStopped()) {
      endStopped();
      return;
    }
    if (committer.isVisible()) {
      end(); // an exception was thrown between visibility and the end of commit
      return;
    }
    // An exception may have left READs that are posted but not flushed. If the pool is lost, this
    // throws, and no lock is released: recovery first decides a commit that was interrupted, and an
    // interrupted insert has locks that are in no set.
    channel.flush();
    boolean lostAgainstAnother = locks.failure() != Outcome.OK;
    boolean isConflict = lostAgainstAnother || view.isChangedSinceSnapshot();
    abortCause = cause();
    if (!lostAgainstAnother) {
      retainedPriority = 0;
    }
    if (!writes.isEmpty() || journal.size() > 0) {
      changes.begin();
      view.pin();
      indexWriter.rollbackTo(0);
      rowOperations.removeFreshRows(true);
      changes.end();
    }
    end(); // first: an exception before this repeats the rollback
    counts.countRolledBack(isConflict);
    if (lostAgainstAnother && !failStop.isStopped()) {
      locks.awaitOlder();
      // Posts no verb, but throws if the pool is lost: failed transactions keep the locks of such a
      // pool for ever.
      channel.flush();
    }
  }

  private AbortCause cause() {
    Outcome failure = locks.failure() == Outcome.OK ? context.lastFailure : locks.failure();
    if (failure == null) {
      return AbortCause.OTHER;
    }
    return switch (failure) {
      case CONFLICT ->
          view.isChangedSinceSnapshot()
              ? AbortCause.CHANGED_SINCE_SNAPSHOT
              : locks.isTimedOut() ? AbortCause.LOCK_TIMEOUT : AbortCause.LOCK;
      case TOO_OLD -> AbortCause.SNAPSHOT_TOO_OLD;
      case EXHAUSTED -> AbortCause.POOL_FULL;
      case CANCELLED -> locks.isOverdue() ? AbortCause.LOCK : AbortCause.CANCELLED;
      default -> AbortCause.OTHER;
    };
  }

  /** See {@link Transaction#takeAbortCause}. */
  AbortCause takeAbortCause() {
    AbortCause cause = abortCause;
    abortCause = AbortCause.OTHER;
    return cause;
  }

  /**
   * A lock or a pin that remained would block other transactions for ever, so an exception here
   * stops the engine; the transaction has ended in either case.
   */
  private void end() {
    boolean ended = false;
    try {
      active = false;
      critical.begin();
      if (guard != null) {
        guard.release();
      }
      locks.releaseAll();
      writes.clear();
      journal.truncate(0);
      limits.transactionEnded();
      view.end();
      cache.clear();
      indexWriter.end();
      critical.end();
      ended = true;
      retireQueue.collectSome();
    } catch (RuntimeException | Error e) {
      failStop.note(e);
      if (!ended) {
        critical.end(); // skipped if this throws, too: the next critical.check() reports it
      }
      leftovers.note("at the end of a transaction", e);
    } finally {
      leave();
    }
  }

  /** An exception stops the engine, since waiters for the latch would wait for ever. */
  private void leave() {
    try {
      retireQueue.leave();
    } catch (RuntimeException | Error e) {
      failStop.note(e);
    }
  }

  /**
   * Ends a transaction whose engine has stopped, or whose pool is lost, and keeps its locks:
   * recovery will finish or undo the changes to shared state.
   */
  private void endStopped() {
    active = false;
    retireQueue.leave();
  }
}
