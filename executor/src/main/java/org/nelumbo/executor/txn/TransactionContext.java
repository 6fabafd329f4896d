package org.nelumbo.executor.txn;

import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.commit.LogDirectory;
import org.nelumbo.executor.commit.TransactionLog;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.gc.OrphanedGarbage;
import org.nelumbo.executor.gc.RetireQueue;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexTrees;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.index.PendingEntries;
import org.nelumbo.executor.index.UniqueCheck;
import org.nelumbo.executor.insert.InsertUndo;
import org.nelumbo.executor.limit.SessionLimits;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockSet;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.RowPrefetch;
import org.nelumbo.executor.version.CvtBatch;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowFinder;
import org.nelumbo.executor.version.RowGuard;
import org.nelumbo.executor.version.VersionReader;

/**
 * The objects that the classes of this package share to run one coordinator's transactions. Created
 * once for each coordinator, in order of their dependencies. Constructors take from here the
 * objects that they need. Used by one thread at a time.
 */
public final class TransactionContext {
  final CoordinatorContext coordinator;
  final CancellationToken cancellation;
  final SessionLimits limits;
  final ReadView view;
  final KeyLocks locks;

  /** Null under LOTUS. */
  final RowGuard guard;

  private final LockSet lockSet = new LockSet();
  final TransactionReadCache cache;
  final VersionReader reader;
  final RowFinder finder;
  final WriteSet writes = new WriteSet();
  final IndexJournal journal = new IndexJournal();
  final IndexTrees trees;
  final PendingEntries pendingEntries;
  final IndexWriter indexWriter;
  final InsertUndo insertUndo;

  private final TransactionLog log;
  private final RetireQueue retireQueue;

  /** The last failed outcome of this transaction; null if nothing has failed. */
  Outcome lastFailure;

  /** Created on first use; only on a remote fabric. */
  private RowPrefetch prefetch;

  /**
   * Creates the objects of a coordinator.
   *
   * @param guard see {@link RowGuard}; null under LOTUS
   */
  public TransactionContext(
      CoordinatorContext coordinator, LogDirectory logs, OrphanedGarbage orphans, RowGuard guard) {
    this.coordinator = coordinator;
    this.cancellation =
        new CancellationToken(
            coordinator.environment(), coordinator.failStop()::check, this::isOverdue);
    this.limits = new SessionLimits(cancellation, this::heapBytes);
    this.view = new ReadView(coordinator);
    this.locks =
        new LockAcquirer(
            coordinator.environment(),
            coordinator.lockTable(),
            lockSet,
            cancellation,
            coordinator.failStop()::note,
            coordinator.remoteLocks(),
            coordinator.caches().leaves());
    this.guard = guard;
    this.cache = new TransactionReadCache(coordinator.caches());
    this.reader = new VersionReader(coordinator, locks, cancellation, cache, guard);
    this.finder = new RowFinder(coordinator, reader, cache);
    this.retireQueue = new RetireQueue(coordinator, orphans, reader);
    this.trees = new IndexTrees(coordinator, locks, cache, retireQueue.garbage());
    this.pendingEntries = new PendingEntries(coordinator, locks, trees, journal);
    this.indexWriter =
        new IndexWriter(
            coordinator,
            view,
            locks,
            trees,
            journal,
            pendingEntries,
            new UniqueCheck(coordinator, view, locks, reader, writes));
    this.insertUndo = new InsertUndo(coordinator, trees);
    this.log = new TransactionLog(coordinator, logs);
  }

  /** A method of its own since the token is created before the locks. */
  private boolean isOverdue() {
    return locks.isOverdue();
  }

  private long heapBytes() {
    return writes.heapBytes() + lockSet.heapBytes() + journal.heapBytes();
  }

  /** Returns the coordinator's log. */
  public TransactionLog log() {
    return log;
  }

  /** Returns the queue of memory that the coordinator's transactions retire. */
  public RetireQueue retireQueue() {
    return retireQueue;
  }

  CvtBatch newCvtBatch(CvtBatch.PrimaryKeys keys) {
    return new CvtBatch(coordinator, view, locks, reader, cache.records(), keys);
  }

  /** Returns the prefetcher of rows; not used on a local fabric. */
  RowPrefetch prefetch() {
    if (prefetch == null) {
      prefetch = new RowPrefetch(coordinator, view, cache);
    }
    return prefetch;
  }
}
