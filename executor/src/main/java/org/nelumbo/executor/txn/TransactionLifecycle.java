package org.nelumbo.executor.txn;

import org.nelumbo.dm.pool.Channel;
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
import org.nelumbo.executor.context.Sharing;
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
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/**
 * The lifecycle of one coordinator's transactions: begin, savepoint, rollback, end; and what goes
 * over from one to the next: the conflict policy, and the priority of one that lost against another
 * and is tried again. One thread at a time.
 */
final class TransactionLifecycle {
  /** Rows whose commit takes no time to speak of. */
  private static final int SMALL_COMMIT = 1 << 12;

  private final int slot;
  private final ComputeNodeEntry node;
  private final Sharing sharing;
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

  /** Whether the transaction may have read what is not on the disk. */
  private boolean readsUnforced;

  private long retainedPriority;

  /** Timestamp at which the allocation that is being tried again failed first. */
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
    this.sharing = context.coordinator.sharing();
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

  /** How the transactions ended. */
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

  /** See {@link Transaction#begin}. */
  void begin(Isolation level, boolean isReadOnly) {
    if (active) {
      throw new IllegalStateException("a transaction is active on this coordinator");
    }
    critical.check();
    failStop.check();
    assert writes.isEmpty() : "writes of the transaction before";
    channel.release(0); // what an exception has left behind
    retireQueue.enter();
    active = true; // at once: from now on the transaction has to end
    context.lastFailure = null;
    committer.begin();
    isolation = level;
    if (isReadOnly) {
      view.beginReadOnly();
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
    long priority = retainedPriority != 0 ? retainedPriority : newPriority();
    retainedPriority = priority;
    locks.begin(priority, conflictPolicy, lockTimeoutNanos);
  }

  private long newPriority() {
    return sharing.isShared()
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
    }
    if (status != Outcome.OK) {
      context.lastFailure = status;
      abort();
      return status;
    }
    retainedPriority = 0;
    count();
    boolean isRead = readsUnforced();
    end();
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

  /** Whether what it has read may not be on the disk. */
  private boolean readsUnforced() {
    return readsUnforced;
  }

  /** Counts a commit; one that is not counted has happened all the same. */
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

  /** Whatever is thrown, the transaction is committed if its writes are visible. */
  private Outcome commitWrites() {
    failStop.check();
    try {
      return writeAndTidyUp();
    } catch (RuntimeException | Error e) {
      if (!committer.isVisible()) {
        throw e;
      }
      leftovers.note("after a commit", e);
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

  /** Lets go of the epoch meanwhile, unless it is a snapshot's: it may be what memory waits for. */
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

  /**
   * Does what is left when the commit is visible. What is thrown here leaves it undone, for whoever
   * attaches to the pool next.
   */
  private void tidyUp() {
    committer.tidyUp();
    journal.retireStale(writes, retireQueue.garbage(), clock.now());
    rowOperations.removeFreshRows(false);
  }

  /** An entry is in its index before the timestamp is drawn: later snapshots find the row. */
  private Outcome write() {
    Outcome status = locks.hold();
    if (status == Outcome.OK) {
      status = pendingEntries.flush();
    }
    if (status != Outcome.OK) {
      return status;
    }
    if (writes.size() > SMALL_COMMIT && cancellation.isCancelled()) {
      return Outcome.CANCELLED; // the last moment: what follows is done to its end
    }
    assert journal.pending() == 0 : "entries are missing in their indexes";
    assert isWriteLocked() : "a row is written without its lock";
    assert !locks.isDoomed() : "a row is written though its lock was taken away";
    assert view.isPinned() : "follows addresses without a pinned epoch";
    return committer.commit();
  }

  /** Whether the locks of all rows that are going to be written are held. */
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
      end(); // something was thrown on the way from there to the end of commit
      return;
    }
    if (channel.mark() > 0) {
      channel.flush(); // an exception has left READs that may have been posted only
    }
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
    end(); // at once: whatever is thrown in between has the rollback repeated
    counts.countRolledBack(isConflict);
    if (lostAgainstAnother && !failStop.isStopped()) {
      locks.awaitOlder();
      // Nothing is posted, but a lost pool says so: its locks are held for ever by those who failed
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
   * Gives everything back. A lock or a pin that stayed would stop others for ever, so an exception
   * here stops the engine; the transaction has ended all the same, well or not.
   */
  private void end() {
    boolean ended = false;
    try {
      active = false;
      critical.begin();
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
        critical.end(); // not reached if something is thrown here as well: who comes next is told
      }
      leftovers.note("at the end of a transaction", e);
    } finally {
      leave();
    }
  }

  /** Who waits for the coordinator's latch waits for ever if it stays. */
  private void leave() {
    try {
      retireQueue.leave();
    } catch (RuntimeException | Error e) {
      failStop.note(e);
    }
  }

  /** Ends without touching anything that others may see: it is for recovery to decide about it. */
  private void endStopped() {
    active = false;
    retireQueue.leave();
  }
}
