package org.nelumbo.executor.txn;

import java.util.List;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.cache.NegativeLookupCache;
import org.nelumbo.executor.cache.RecordReadCache;
import org.nelumbo.executor.cache.TransactionReadCache;
import org.nelumbo.executor.commit.Committer;
import org.nelumbo.executor.commit.TransactionLog;
import org.nelumbo.executor.commit.WriteSet;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.gc.RetireQueue;
import org.nelumbo.executor.index.IndexJournal;
import org.nelumbo.executor.index.IndexWriter;
import org.nelumbo.executor.index.UniqueCheck;
import org.nelumbo.executor.index.UniqueKeyReservations;
import org.nelumbo.executor.lock.ConflictPolicy;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockSet;
import org.nelumbo.executor.lock.LockState;
import org.nelumbo.executor.lock.LockTable;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.readahead.RowPrefetch;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.InlineRecordReads;
import org.nelumbo.executor.version.ReadView;
import org.nelumbo.executor.version.RowFinder;
import org.nelumbo.executor.version.VersionReader;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * The transaction of a coordinator: the native API (LOTUS section 7.3). One object a coordinator,
 * used again for each transaction; one thread at a time.
 *
 * <p>What an operation comes to is an {@link Outcome}; {@link #failure} tells why one failed.
 */
public final class Transaction {
  private final Coordinator coordinator;
  private final Channel channel;
  private final ReadView view;
  private final CancellationToken cancellation;
  private final WriteSet writes = new WriteSet();
  private final LockAcquirer locks;

  /** Null on a local fabric. */
  private final TransactionReadCache memory;

  private final VersionReader reader;
  private final RowFinder finder;
  private final IndexWriter indexWriter;
  private final RowMutations mutations;
  private final SingleRows rows;
  private final TransactionLifecycle transactionLifecycle;
  private final TransactionLog log;
  private final RetireQueue retireQueue;

  /** Made when it is first wanted; only if round trips are expensive. */
  private RowPrefetch prefetch;

  /** Made when it is first wanted. */
  private InsertBatch statementInserts;

  public Transaction(Coordinator coordinator) {
    this.coordinator = coordinator;
    Engine engine = coordinator.engine();
    this.channel = coordinator.channel();
    this.view = new ReadView(engine, coordinator.slot());
    this.cancellation = new CancellationToken(engine.environment());
    this.locks =
        new LockAcquirer(engine.environment(), engine.lockTable(), new LockSet(), cancellation);
    this.memory = engine.cvtCache() != null ? new TransactionReadCache(engine) : null;
    this.reader =
        new VersionReader(
            engine.environment(),
            channel,
            engine.epochs(),
            cancellation,
            records(),
            memory == null ? null : new InlineRecordReads(coordinator, 1));
    this.finder = new RowFinder(coordinator, reader, absent(), records());
    this.log = new TransactionLog(coordinator);
    this.retireQueue = new RetireQueue(coordinator, reader);
    IndexJournal journal = new IndexJournal();
    UniqueCheck uniqueCheck = new UniqueCheck(channel, locks, reader, writes);
    this.indexWriter = new IndexWriter(coordinator, view, locks, journal, uniqueCheck, leaves());
    this.mutations = new RowMutations(this, writes, journal, indexWriter);
    this.rows = new SingleRows(this);
    Committer committer = new Committer(coordinator, writes, log, retireQueue.garbageList());
    this.transactionLifecycle = new TransactionLifecycle(this, journal, committer, memory);
  }

  /**
   * Starts a transaction.
   *
   * @throws IllegalStateException if one is active
   */
  public void begin(Isolation level, boolean isReadOnly) {
    transactionLifecycle.begin(level, isReadOnly);
  }

  /**
   * What the following transactions do about locks that others hold, and how long they wait at
   * most; as in the engine's options at first.
   */
  public void setConflictPolicy(ConflictPolicy policy, long timeoutNanos) {
    transactionLifecycle.setConflictPolicy(policy, timeoutNanos);
  }

  public boolean isActive() {
    return transactionLifecycle.isActive();
  }

  public boolean isReadOnly() {
    return view.isReadOnly();
  }

  public Isolation isolation() {
    return view.isolation();
  }

  /** Start timestamp of the active transaction. */
  public long startTimestamp() {
    return view.startTimestamp();
  }

  /** Cancels and times out the statements of this transaction. */
  public CancellationToken cancellation() {
    return cancellation;
  }

  /** Whether it waits for a lock just now; any thread may ask. */
  public boolean isWaiting() {
    return locks.isWaiting();
  }

  /**
   * What this transaction's coordinator asks of the fabric, counted on while it runs; null unless
   * it counts, see {@link Engine#openCountingCoordinator}.
   */
  public FabricCounters counters() {
    return channel instanceof CountingChannel counting
        ? counting.counters(CountingChannel.UNLABELLED)
        : null;
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
    return transactionLifecycle.counts();
  }

  /** Number of rows this transaction has written so far; any thread may ask. */
  public int writeCount() {
    return writes.size();
  }

  public PrefetchHints newPrefetchHints() {
    return new PrefetchHints(this);
  }

  public PointBatch newPointBatch() {
    return new PointBatch(this);
  }

  public InsertBatch newInsertBatch() {
    return new InsertBatch(this, mutations);
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
    return new RangeScan(this);
  }

  /** Whether it pays to know what will be read, since a round trip is expensive. */
  public boolean readsAhead() {
    return memory != null;
  }

  /**
   * Scans that do not lock leaves read them anew from now on. For who has to see what others have
   * added to an index, though it is newer than the snapshot.
   */
  public void discardReadAhead() {
    if (memory != null && view.isSnapshot()) {
      memory.discardLeaves();
    }
  }

  /**
   * A list of what is going to be read.
   *
   * @throws IllegalStateException unless {@link #readsAhead}
   */
  public ReadAhead newReadAhead() {
    return new ReadAhead(this);
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
    return new TableScan(this);
  }

  /**
   * Gets a row by its primary key: OK with a copy of its image in {@code out}, NOT_FOUND, or the
   * failure.
   *
   * @param lockMode {@link LockTable#WRITE} if the row is going to be written; READ locks are taken
   *     only where the isolation level asks for them
   */
  public int get(TableStore table, KeyBuffer rowKey, int lockMode, RowBuffer out) {
    return rows.get(table, rowKey, lockMode, out);
  }

  /** Looks the row up under its lock, which was the last one acquired. */
  int findLocked(
      TableStore table, KeyBuffer rowKey, RowBuffer out, VersionSlotPlan versionSlotPlan) {
    return rows.findLocked(table, rowKey, out, versionSlotPlan);
  }

  /**
   * Inserts a row: OK, DUPLICATE (see {@link #violatedIndex}), EXHAUSTED, or the failure.
   *
   * @param image the whole row, beginning with its normalised primary key, which is {@code rowKey}
   */
  public int insert(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    return rows.insert(table, rowKey, image);
  }

  /**
   * Replaces a row; the primary key stays. OK, NOT_FOUND, DUPLICATE (a unique index), EXHAUSTED, or
   * the failure.
   */
  public int update(TableStore table, KeyBuffer rowKey, RowBuffer image) {
    return rows.update(table, rowKey, image);
  }

  /** Deletes a row: OK, NOT_FOUND, or the failure. */
  public int delete(TableStore table, KeyBuffer rowKey) {
    return rows.delete(table, rowKey);
  }

  /** The unique index that the last DUPLICATE is about; null if it was the primary key. */
  public IndexStore violatedIndex() {
    return indexWriter.violated();
  }

  /** A position to which {@link #rollbackTo} can return; valid in this transaction. */
  public long savepoint() {
    return transactionLifecycle.savepoint();
  }

  /** Takes back the writes since the savepoint; locks are kept. */
  public void rollbackTo(long savepoint) {
    transactionLifecycle.rollbackTo(savepoint);
  }

  /** Commits: OK; or CONFLICT, CANCELLED or EXHAUSTED: then the transaction has been aborted. */
  public int commit() {
    return transactionLifecycle.commit();
  }

  /**
   * Takes back everything; harmless if no transaction is active.
   *
   * @throws FabricException if the pool is lost: then locks and writes may stay as they are, for
   *     whoever recovers the pool to decide about
   */
  public void abort() {
    transactionLifecycle.abort();
  }

  RowMutations mutations() {
    return mutations;
  }

  public RetireQueue retireQueue() {
    return retireQueue;
  }

  /** Turns an outcome into the exception that says what happened and what to do. */
  public NelumboException failure(int status) {
    return TransactionFailure.of(status, this);
  }

  // What the scans and batches of this transaction use.

  public Coordinator coordinator() {
    return coordinator;
  }

  public ReadView view() {
    return view;
  }

  public VersionReader reader() {
    return reader;
  }

  /** What is remembered of records until the end of the transaction; null on a local fabric. */
  public RecordReadCache records() {
    return memory == null ? null : memory.records();
  }

  /** Keys that are known to have no row; null on a local fabric. */
  public NegativeLookupCache absent() {
    return memory == null ? null : memory.negativeLookups();
  }

  /** Reads rows before they are wanted; not on a local fabric. */
  public RowPrefetch prefetch() {
    if (prefetch == null) {
      prefetch = new RowPrefetch(this);
    }
    return prefetch;
  }

  /** Leaves that were read before the scans that want them; null on a local fabric. */
  public PrefetchedLeaves leaves() {
    return memory == null ? null : memory.leaves();
  }

  RowFinder finder() {
    return finder;
  }

  public IndexWriter indexWriter() {
    return indexWriter;
  }

  public LockAcquirer locks() {
    return locks;
  }

  public WriteSet writes() {
    return writes;
  }

  public TransactionLog log() {
    return log;
  }

  /**
   * Timestamp of the snapshot this transaction reads; {@code Long.MAX_VALUE} if it locks instead.
   */
  public long snapshot() {
    return view.snapshot();
  }

  /**
   * Changes with every beginning and end, so that what was opened in one transaction does not touch
   * the next.
   */
  public long generation() {
    return transactionLifecycle.generation();
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
