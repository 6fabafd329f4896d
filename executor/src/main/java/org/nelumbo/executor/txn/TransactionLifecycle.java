package org.nelumbo.executor.txn;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.commit.Committer;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.gc.RetireQueue;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.lock.ConflictPolicy;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.Priority;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.version.ReadView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lifecycle of one coordinator's transactions: begin, savepoint, rollback, end; and what goes
 * over from one to the next: the conflict policy, and the priority of one that lost against another
 * and is tried again. One thread at a time.
 */
final class TransactionLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionLifecycle.class);

  private final Coordinator coordinator;
  private final Engine engine;
  private final Channel channel;
  private final ReadView view;
  private final LockAcquirer locks;
  private final WriteSet writes;
  private final IndexJournal journal;
  private final IndexWriter indexWriter;
  private final RowMutations changes;
  private final Committer committer;
  private final RetireQueue retireQueue;

  /** Null on a local fabric. */
  private final TransactionReadCache memory;

  private final TransactionCounts counts = new TransactionCounts();

  private ConflictPolicy conflictPolicy;
  private long lockTimeoutNanos;
  private boolean active;
  private long retainedPriority;
  private long generation;

  TransactionLifecycle(
      Transaction transaction,
      IndexJournal journal,
      Committer committer,
      TransactionReadCache memory) {
    this.coordinator = transaction.coordinator();
    this.engine = coordinator.engine();
    this.channel = coordinator.channel();
    this.view = transaction.view();
    this.locks = transaction.locks();
    this.writes = transaction.writes();
    this.journal = journal;
    this.indexWriter = transaction.indexWriter();
    this.changes = transaction.mutations();
    this.committer = committer;
    this.retireQueue = transaction.retireQueue();
    this.memory = memory;
    this.conflictPolicy = engine.options().conflictPolicy();
    this.lockTimeoutNanos = engine.options().lockTimeoutNanos();
  }

  /** How the transactions ended. */
  TransactionCounts counts() {
    return counts;
  }

  boolean isActive() {
    return active;
  }

  /** Changes with every beginning and end. */
  long generation() {
    return generation;
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
    retireQueue.enter();
    active = true;
    generation++;
    if (memory != null && !isReadOnly) {
      memory.records().open();
    }
    view.begin(level, isReadOnly);
    long priority =
        retainedPriority != 0
            ? retainedPriority
            : Priority.of(view.startTimestamp(), coordinator.slot());
    retainedPriority = priority;
    locks.begin(priority, conflictPolicy, lockTimeoutNanos);
  }

  /** See {@link Transaction#savepoint}. */
  long savepoint() {
    return ((long) writes.mark() << 32) | journal.size();
  }

  /** See {@link Transaction#rollbackTo}. */
  void rollbackTo(long savepoint) {
    coordinator.beginChange();
    view.pin();
    indexWriter.rollbackTo((int) savepoint);
    writes.rollbackTo((int) (savepoint >>> 32));
    view.unpin();
    coordinator.endChange();
  }

  /** See {@link Transaction#commit}. */
  int commit() {
    if (!active) {
      throw new IllegalStateException("no transaction is active on this coordinator");
    }
    int status = Outcome.OK;
    if (!writes.isEmpty()) {
      status = commitWrites();
    } else if (memory != null) {
      memory.confirm(channel);
    }
    if (status != Outcome.OK) {
      abort();
      return status;
    }
    retainedPriority = 0;
    counts.countCommitted();
    end();
    return Outcome.OK;
  }

  private int commitWrites() {
    coordinator.beginChange();
    view.pin();
    int status = write();
    if (status == Outcome.EXHAUSTED) {
      engine.refreshHorizonForMemory();
      status = write();
    }
    if (status == Outcome.OK) {
      retireQueue.retireStaleEntries(journal, writes);
      removeFreshRows();
    }
    coordinator.endChange();
    return status;
  }

  /** An entry is in its index before the timestamp is drawn: later snapshots find the row. */
  private int write() {
    int status = indexWriter.flushPending();
    return status == Outcome.OK ? committer.commit() : status;
  }

  /** The commit is visible: what a lost pool leaves undone here is for whoever recovers it. */
  private void removeFreshRows() {
    try {
      changes.removeFreshRows(false);
    } catch (FabricException e) {
      LOG.debug("left to recovery: {}", e.getMessage());
    }
  }

  /** See {@link Transaction#abort}. */
  void abort() {
    if (!active) {
      return;
    }
    if (!writes.isEmpty() || journal.size() > 0) {
      coordinator.beginChange();
      view.pin();
      indexWriter.rollbackTo(0);
      changes.removeFreshRows(true);
      coordinator.endChange();
    }
    boolean lostAgainstAnother = locks.failure() != Outcome.OK;
    counts.countRolledBack(view.isChangedSinceSnapshot() || lostAgainstAnother);
    if (!lostAgainstAnother) {
      retainedPriority = 0;
    }
    end();
    if (lostAgainstAnother) {
      // Nothing is posted, but a lost pool says so: its locks are held for ever by those who failed
      channel.flush();
    }
  }

  private void end() {
    try {
      locks.releaseAll();
      writes.clear();
      active = false;
      generation++;
      view.end();
      if (memory != null) {
        memory.clear();
        indexWriter.end();
      }
      retireQueue.collectSome();
    } catch (FabricException e) {
      // The transaction has ended, well or not; whoever uses the pool next is told.
      LOG.debug("not collected: {}", e.getMessage());
    } finally {
      retireQueue.leave();
    }
  }
}
