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
 * The transaction of a coordinator: the native API (LOTUS section 7.3). One object a coordinator,
 * used again for each transaction; one thread at a time.
 *
 * <p>What an operation comes to is an {@link Outcome}; {@link #failure} tells why one failed.
 */
public final class Transaction {
  private final TransactionContext context;

  /** Null if there is none. */
  private SessionValues session;

  private final Channel channel;
  private final ReadView view;
  private final KeyLocks locks;
  private final TransactionReadCache cache;
  private final IndexWriter indexWriter;
  private final RowOperations rows;
  private final TransactionLifecycle lifecycle;

  /** Made when it is first wanted. */
  private InsertBatch statementInserts;

  /** Of one row at a time, on a remote fabric; made when it is first wanted. */
  private InsertBatch singleInsert;

  /**
   * The transactions of a coordinator.
   *
   * @param conflictPolicy as in {@link #setConflictPolicy}
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
   * What the following transactions do about locks that others hold, and how long they wait at
   * most; as in the engine's options at first.
   */
  public void setConflictPolicy(ConflictPolicy policy, long timeoutNanos) {
    lifecycle.setConflictPolicy(policy, timeoutNanos);
  }

  /** When commits are acknowledged; NONE if nothing is written to a disk. */
  public Durability durability() {
    return lifecycle.durability();
  }

  /**
   * Has commits be acknowledged at another moment: that of the active transaction, and later ones.
   * The database is one in files.
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

  /** Start timestamp of the active transaction. */
  public long startTimestamp() {
    return view.startTimestamp();
  }

  /** Cancels and times out the statements of this transaction. */
  public CancellationToken cancellation() {
    return context.cancellation;
  }

  /** What expressions ask about the session; null if there is none. */
  public SessionValues session() {
    return session;
  }

  /** Sets what expressions ask about the session. */
  public void setSession(SessionValues values) {
    session = values;
  }

  /** The limits of this coordinator's statements. */
  public SessionLimits limits() {
    return context.limits;
  }

  /** Whether it waits for a lock just now; any thread may ask. */
  public boolean isWaiting() {
    return locks.isWaiting();
  }

  /**
   * What this transaction's coordinator asks of the fabric, counted on while it runs; null unless
   * it counts, see {@code Engine.openCountingCoordinator}.
   */
  public FabricCounters counters() {
    return channel instanceof CountingChannel counting
        ? counting.counters(CountingChannel.UNLABELLED)
        : null;
  }

  /**
   * Whether other compute nodes wait for the end of the transaction, or have taken a lock away; any
   * thread may ask.
   */
  public boolean mustEnd() {
    return context.locks.mustEnd();
  }

  /** See {@link KeyLocks#meetOthers}. */
  public void meetOthers() {
    context.locks.meetOthers();
  }

  /** Locks that its transactions have asked for so far; for their thread. */
  public LockCounts lockCounts() {
    return context.locks.counts();
  }

  /**
   * The locks of this transaction, the one it waits for included; any thread may ask, and sees them
   * about as they are.
   */
  public List<LockState> lockStates() {
    return locks.states();
  }

  /** How the transactions of this coordinator ended. */
  public TransactionCounts counts() {
    return lifecycle.counts();
  }

  /** Number of rows this transaction has written so far; any thread may ask. */
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
   * The batch that statements share, one after the other: whoever begins clears it. So what a large
   * INSERT needed is kept once a coordinator, not once a statement.
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
   * Whether requests for locks fail at once from now on, with LOCK_NOT_AVAILABLE, if another
   * transaction has the lock.
   */
  public void setNoWait(boolean noWait) {
    locks.setNoWait(noWait);
  }

  /** Whether it pays to know what will be read, since a round trip is expensive. */
  public boolean readsAhead() {
    return cache.isRemote();
  }

  /**
   * Scans that do not lock leaves read them anew from now on. For who has to see what others have
   * added to an index, though it is newer than the snapshot.
   */
  public void discardReadAhead() {
    if (view.isSnapshot()) {
      cache.discardLeaves();
    }
  }

  /**
   * A list of what is going to be read.
   *
   * @throws IllegalStateException unless {@link #readsAhead}
   */
  public ReadAhead newReadAhead() {
    return new ReadAhead(
        context.coordinator, locks, view, cache, context.pendingEntries, context::prefetch);
  }

  /**
   * Values of unique indexes that many rows are going to get, to be looked for together. There is
   * one list for a transaction: what is added to it is claimed at once.
   *
   * @throws IllegalStateException unless {@link #readsAhead}
   */
  public UniqueKeyReservations reservations() {
    if (!readsAhead()) {
      throw new IllegalStateException("values are looked for one by one on a local fabric");
    }
    return indexWriter.reservations();
  }

  public TableScan newTableScan() {
    return new TableScan(context, newRangeScan());
  }

  /**
   * Gets a row by its primary key: OK with a copy of its image in {@code out}, NOT_FOUND, or the
   * failure.
   *
   * @param lockMode {@link LockMode#WRITE} if the row is going to be written; READ locks are taken
   *     only where the isolation level asks for them
   */
  public Outcome get(TableStore table, KeyBuffer rowKey, LockMode lockMode, RowBuffer out) {
    return rows.get(table, rowKey, lockMode, out);
  }

  /**
   * Inserts a row: OK, DUPLICATE (see {@link #violatedIndex}), EXHAUSTED, or the failure.
   *
   * @param image the whole row, beginning with its normalised primary key, which is {@code rowKey}
   */
  public Outcome insert(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    view.requireWritable();
    return readsAhead() ? insertRemotely(table, rowKey, image) : rows.insert(table, rowKey, image);
  }

  /** A batch of one row takes fewer round trips, if also more work. */
  private Outcome insertRemotely(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    if (singleInsert == null) {
      singleInsert = newInsertBatch();
    }
    singleInsert.clear();
    singleInsert.add(table, rowKey, image);
    return singleInsert.execute();
  }

  /**
   * Replaces a row; the primary key stays. OK, NOT_FOUND, DUPLICATE (a unique index), EXHAUSTED, or
   * the failure.
   */
  public Outcome update(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    return rows.update(table, rowKey, image);
  }

  /** Deletes a row: OK, NOT_FOUND, or the failure. */
  public Outcome delete(TableStore table, KeyBuffer rowKey) {
    return rows.delete(table, rowKey);
  }

  /** The unique index that the last DUPLICATE is about; null if it was the primary key. */
  public IndexStore violatedIndex() {
    return indexWriter.violated();
  }

  /** A position to which {@link #rollbackTo} can return; valid in this transaction. */
  public long savepoint() {
    return lifecycle.savepoint();
  }

  /** Takes back the writes since the savepoint; locks are kept. */
  public void rollbackTo(long savepoint) {
    lifecycle.rollbackTo(savepoint);
  }

  /**
   * Makes sure that rows that were read from this compute node's memory alone may be shown before
   * the transaction ends: {@link #commit} would find out later. Costs a round trip if there are
   * such rows and the pool was not asked for anything since; once for a snapshot. Waits for the
   * disk if they may not be there yet.
   *
   * @throws FabricException if the pool is lost, or another compute node has taken it
   */
  public void confirmReads() {
    lifecycle.confirmReads();
  }

  /**
   * Makes sure that the pool is this compute node's, before something is said that follows from its
   * memory alone. Costs a round trip; a transaction need not be active.
   *
   * @throws FabricException if the pool is lost, or another compute node has taken it
   * @throws NelumboException CONNECTION_LOST if the engine has stopped
   */
  public void confirmOwner() {
    context.coordinator.failStop().check();
    TransactionReadCache.confirmOwner(channel);
  }

  /** Commits: OK; or CONFLICT, CANCELLED or EXHAUSTED: then the transaction has been aborted. */
  public Outcome commit() {
    return lifecycle.commit();
  }

  /**
   * Takes back everything; harmless if no transaction is active.
   *
   * @throws FabricException if the pool is lost: then locks and writes may stay as they are, for
   *     whoever recovers the pool to decide about
   */
  public void abort() {
    lifecycle.abort();
  }

  /**
   * Waits a moment for pool memory after a statement found none and was taken back; false if there
   * is no hope ({@link PoolMemory#awaitGarbage}). The transaction may have ended, too.
   */
  public boolean awaitMemory(int attempt) {
    return lifecycle.awaitMemory(attempt);
  }

  /** Why the last transaction was rolled back; told once, then OTHER until the next one is. */
  public AbortCause takeAbortCause() {
    return lifecycle.takeAbortCause();
  }

  /** For tests of this package. */
  TransactionContext context() {
    return context;
  }

  /** Turns an outcome into the exception that says what happened and what to do. */
  public NelumboException failure(Outcome status) {
    return failure(status, null);
  }

  /**
   * Turns an outcome into the exception that says what happened and what to do.
   *
   * @param place what the operation was about; null if it is not known
   */
  public NelumboException failure(Outcome status, ConflictPlace place) {
    return TransactionFailure.of(status, context, place);
  }

  /** Key of the lock that the last failed operation has not got. */
  public long failedLock() {
    return context.locks.failedLock();
  }

  /**
   * Timestamp of the snapshot this transaction reads; {@code Long.MAX_VALUE} if it locks instead.
   */
  public long snapshot() {
    return view.snapshot();
  }

  /**
   * To be called when the transaction is left waiting for its user between statements: a
   * serializable read-write transaction then holds locks but no longer keeps memory from being
   * reused, unless a scan is open.
   */
  public void pause() {
    view.pause();
  }
}
