package org.nelumbo.executor.txn;

import java.util.List;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.context.PoolMemory;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.index.UniqueKeyReservations;
import org.nelumbo.executor.limit.SessionLimits;
import org.nelumbo.executor.lock.KeyLocks;
import org.nelumbo.executor.lock.LockCounts;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockState;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.session.SessionValues;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;

/**
 * The transaction of a coordinator: the native API (LOTUS section 7.3). Each coordinator has one
 * object, which is reused for each of its transactions. Used by one thread at a time.
 *
 * <p>Every operation returns an {@link Outcome}. {@link #failure} builds the exception for a failed
 * one.
 */
public final class Transaction {
  private final TransactionContext context;

  private SessionValues session;

  private final Channel channel;
  private final ReadView view;
  private final KeyLocks locks;
  private final TransactionReadCache cache;
  private final IndexWriter indexWriter;
  private final RowOperations rows;
  private final TransactionLifecycle lifecycle;

  private InsertBatch statementInserts;

  /** Created on first use. */
  private InsertBatch singleInsert;

  /**
   * Creates the transaction object of a coordinator.
   *
   * @param conflictPolicy initial policy, see {@link #setConflictPolicy}
   */
  public Transaction(
      TransactionContext context, ConflictPolicy conflictPolicy, long lockTimeoutNanos) {
    this.context = context;
    this.channel = context.coordinator.channel();
    this.view = context.view;
    this.locks = context.locks;
    this.cache = context.cache;
    this.indexWriter = context.indexWriter;
    this.rows = new RowOperations(context);
    this.lifecycle = new TransactionLifecycle(context, rows, conflictPolicy, lockTimeoutNanos);
  }

  /**
   * Starts a transaction.
   *
   * @throws IllegalStateException if one is active
   */
  public void begin(Isolation level, boolean isReadOnly) {
    lifecycle.begin(level, isReadOnly);
  }

  /**
   * Starts a read-only transaction that sees all commits up to one timestamp, {@link #snapshot},
   * and no others. On several compute nodes it may wait for some milliseconds.
   *
   * @throws IllegalStateException if one is active
   */
  public void beginCut() {
    lifecycle.beginCut();
  }

  /**
   * Starts a read-only transaction that makes one call that reads rows by their keys: {@link #get},
   * or {@link PointBatch#execute}. On several compute nodes such a transaction can do without the
   * round trip that reads the clock.
   *
   * @throws IllegalStateException if one is active
   */
  public void beginSingleRead(Isolation level) {
    lifecycle.beginSingleRead(level);
  }

  /**
   * Sets how later transactions treat locks held by others, and the longest wait for a lock. The
   * initial values come from the engine's options.
   */
  public void setConflictPolicy(ConflictPolicy policy, long timeoutNanos) {
    lifecycle.setConflictPolicy(policy, timeoutNanos);
  }

  /**
   * Returns the durability level, that is, when commits are acknowledged; NONE if nothing is
   * written to a disk.
   */
  public Durability durability() {
    return lifecycle.durability();
  }

  /**
   * Sets the durability level, that is, when a commit is acknowledged, for the active transaction
   * and later ones. Requires a database in files.
   */
  public void setDurability(Durability value) {
    lifecycle.setDurability(value);
  }

  public boolean isActive() {
    return lifecycle.isActive();
  }

  public boolean isReadOnly() {
    return view.isReadOnly();
  }

  public Isolation isolation() {
    return lifecycle.isolation();
  }

  /** Returns the start timestamp of the active transaction. */
  public long startTimestamp() {
    return view.startTimestamp();
  }

  /** Returns the token that cancels and times out the statements of this transaction. */
  public CancellationToken cancellation() {
    return context.cancellation;
  }

  /** Returns the session values that expressions can read; null if there are none. */
  public SessionValues session() {
    return session;
  }

  /** Sets the session values that expressions can read. */
  public void setSession(SessionValues values) {
    session = values;
  }

  /** Returns the limits of this coordinator's statements. */
  public SessionLimits limits() {
    return context.limits;
  }

  /** Returns true while the transaction waits for a lock. Any thread may call this. */
  public boolean isWaiting() {
    return locks.isWaiting();
  }

  /**
   * Returns the counters of this coordinator's requests to the fabric, which continue to count;
   * null unless the coordinator counts, see {@code Engine.openCountingCoordinator}.
   */
  public FabricCounters counters() {
    return channel instanceof CountingChannel counting
        ? counting.counters(CountingChannel.UNLABELLED)
        : null;
  }

  /**
   * Returns true if other compute nodes wait for the end of the transaction, or have revoked one of
   * its locks. Any thread may call this.
   */
  public boolean mustEnd() {
    return context.locks.mustEnd();
  }

  /**
   * Returns the counts of locks that the coordinator's transactions have requested so far. Must be
   * called by their thread.
   */
  public LockCounts lockCounts() {
    return context.locks.counts();
  }

  /**
   * Returns the locks of this transaction, including the one that it waits for. Any thread may call
   * this, and gets an approximate state.
   */
  public List<LockState> lockStates() {
    return locks.states();
  }

  /** Returns the counts of this coordinator's transactions by how they ended. */
  public TransactionCounts counts() {
    return lifecycle.counts();
  }

  /**
   * Returns the number of rows that this transaction has written so far. Any thread may call this.
   */
  public int writeCount() {
    return context.writes.size();
  }

  public PrefetchHints newPrefetchHints() {
    return new PrefetchHints(
        context.coordinator, locks, view, this::newReadAhead, context::prefetch);
  }

  public PointBatch newPointBatch() {
    return new PointBatch(context, rows);
  }

  public InsertBatch newInsertBatch() {
    return new InsertBatch(context, rows, lifecycle);
  }

  /**
   * Returns the batch that all statements of the coordinator share, one after another; each
   * statement clears it first. The memory of a large INSERT is thus kept once for each coordinator,
   * not once for each statement.
   */
  public InsertBatch statementInsertBatch() {
    if (statementInserts == null) {
      statementInserts = newInsertBatch();
    }
    return statementInserts;
  }

  public RangeScan newRangeScan() {
    return new RangeScan(context, rows);
  }

  public UnlockedRead newUnlockedRead() {
    return new UnlockedRead(view, rows);
  }

  /**
   * Sets whether lock requests fail at once, with LOCK_NOT_AVAILABLE, if another transaction holds
   * the lock.
   */
  public void setNoWait(boolean noWait) {
    locks.setNoWait(noWait);
  }

  /** Returns true if reading ahead pays, because round trips are expensive. */
  public boolean readsAhead() {
    return cache.isRemote();
  }

  /**
   * Discards leaves that were read ahead, so that scans that do not lock leaves read them again.
   * For callers that have to see entries that other transactions have added to an index, even if
   * they are newer than the snapshot.
   */
  public void discardReadAhead() {
    if (view.isSnapshot()) {
      cache.discardLeaves();
    }
  }

  /**
   * Returns a new list of rows and ranges to be read ahead.
   *
   * @throws IllegalStateException unless {@link #readsAhead}
   */
  public ReadAhead newReadAhead() {
    return new ReadAhead(
        context.coordinator, locks, view, cache, context.pendingEntries, context::prefetch);
  }

  /**
   * Returns the reservations for values of unique indexes that many rows are going to get, which
   * are looked up together. A transaction has one such list: added values are reserved at once.
   *
   * @throws IllegalStateException unless {@link #readsAhead}
   */
  public UniqueKeyReservations reservations() {
    if (!readsAhead()) {
      throw new IllegalStateException("values are looked up one by one on a local fabric");
    }
    return indexWriter.reservations();
  }

  public TableScan newTableScan() {
    return new TableScan(context, newRangeScan());
  }

  /**
   * Gets a row by its primary key. Returns OK with a copy of its image in {@code out}, NOT_FOUND,
   * or the failure.
   *
   * @param lockMode {@link LockMode#WRITE} if the row is going to be written; READ locks are
   *     acquired only if the isolation level requires them
   */
  public Outcome get(TableStore table, KeyBuffer rowKey, LockMode lockMode, RowBuffer out) {
    return rows.get(table, rowKey, lockMode, out);
  }

  /**
   * Inserts a row. Returns OK, DUPLICATE (see {@link #violatedIndex}), EXHAUSTED, or the failure.
   *
   * @param image the whole row, beginning with its normalised primary key, which is {@code rowKey}
   */
  public Outcome insert(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    view.requireWritable();
    return readsAhead() ? insertRemotely(table, rowKey, image) : rows.insert(table, rowKey, image);
  }

  /** Takes fewer round trips, although more work. */
  private Outcome insertRemotely(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    if (singleInsert == null) {
      singleInsert = newInsertBatch();
    }
    singleInsert.clear();
    singleInsert.add(table, rowKey, image);
    return singleInsert.execute();
  }

  /**
   * Replaces a row; the primary key does not change. Returns OK, NOT_FOUND, DUPLICATE (a unique
   * index), EXHAUSTED, or the failure.
   */
  public Outcome update(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    return rows.update(table, rowKey, image);
  }

  /** Deletes a row. Returns OK, NOT_FOUND, or the failure. */
  public Outcome delete(TableStore table, KeyBuffer rowKey) {
    return rows.delete(table, rowKey);
  }

  /** Returns the unique index that caused the last DUPLICATE; null if it was the primary key. */
  public IndexStore violatedIndex() {
    return indexWriter.violated();
  }

  /** Returns a position for {@link #rollbackTo}, valid in this transaction. */
  public long savepoint() {
    return lifecycle.savepoint();
  }

  /** Undoes the writes since the savepoint; locks are kept. */
  public void rollbackTo(long savepoint) {
    lifecycle.rollbackTo(savepoint);
  }

  /**
   * Makes sure that rows that were read only from this compute node's memory may be shown before
   * the transaction ends; otherwise {@link #commit} would be the first to check. Costs a round trip
   * if there are such rows and the pool was not accessed since they were read; at most one for a
   * snapshot. Waits for the disk if the rows may not be durable yet.
   *
   * @throws FabricException if the pool is lost, or another compute node has taken it over
   */
  public void confirmReads() {
    lifecycle.confirmReads();
  }

  /**
   * Makes sure that this compute node still owns the pool, before the caller reports a result that
   * it derived from local memory alone. Costs a round trip; a transaction need not be active.
   *
   * @throws FabricException if the pool is lost, or another compute node has taken it over
   * @throws NelumboException CONNECTION_LOST if the engine has stopped
   */
  public void confirmOwner() {
    context.coordinator.failStop().check();
    TransactionReadCache.confirmOwner(channel);
  }

  /**
   * Commits. Returns OK; after CONFLICT, CANCELLED or EXHAUSTED the transaction has been aborted.
   */
  public Outcome commit() {
    return lifecycle.commit();
  }

  /**
   * Rolls back the transaction. Has no effect if none is active.
   *
   * @throws FabricException if the pool is lost: locks and writes may then remain until the pool is
   *     recovered
   */
  public void abort() {
    lifecycle.abort();
  }

  /**
   * Waits briefly for pool memory after a statement found none and was undone; the transaction may
   * have ended as well. Returns false if waiting is useless ({@link PoolMemory#awaitGarbage}).
   */
  public boolean awaitMemory(int attempt) {
    return lifecycle.awaitMemory(attempt);
  }

  /**
   * Returns the reason why the last transaction was rolled back, once; then OTHER until the next
   * rollback.
   */
  public AbortCause takeAbortCause() {
    return lifecycle.takeAbortCause();
  }

  /** Returns the context, for tests of this package. */
  TransactionContext context() {
    return context;
  }

  /** Converts an outcome into an exception that describes the failure and the remedy. */
  public NelumboException failure(Outcome status) {
    return failure(status, null);
  }

  /**
   * Converts an outcome into an exception that describes the failure and the remedy.
   *
   * @param location the row or value that the operation was about; null if unknown
   */
  public NelumboException failure(Outcome status, ConflictLocation location) {
    return TransactionFailure.of(status, context, location);
  }

  /** Returns the key of the lock that the last failed operation could not acquire. */
  public long failedLock() {
    return context.locks.failedLock();
  }

  /**
   * Returns the largest timestamp of the snapshot that this transaction reads; {@code
   * Long.MAX_VALUE} if it reads under locks instead.
   */
  public long snapshot() {
    return view.snapshot().newest();
  }

  /**
   * Marks the transaction as idle between two statements of its user. A serializable read-write
   * transaction then keeps its locks but does not delay the reuse of memory, unless a scan is open.
   */
  public void pause() {
    view.pause();
  }
}
