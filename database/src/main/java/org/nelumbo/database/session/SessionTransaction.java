package org.nelumbo.database.session;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.nelumbo.database.plancache.SessionPlanCache;
import org.nelumbo.database.workload.StatementTimer;
import org.nelumbo.database.workload.WorkloadMonitor;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.dm.redo.Durability;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.limit.MemoryBudget;
import org.nelumbo.executor.outcome.CancellationToken;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.session.SessionValues;
import org.nelumbo.executor.txn.AbortCause;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.Savepoint;
import org.nelumbo.session.StatementKind;

/**
 * The transaction of a session, and all that ends with it: the metadata locks of its tables, its
 * savepoints, the results that are read from it. It begins when a statement needs it. One thread at
 * a time.
 *
 * <p><b>Modes.</b> Isolation, read-only and auto-commit are the session's own; SET TRANSACTION and
 * START TRANSACTION say something else for the next transaction only. Statements are planned for
 * the isolation of the transaction they will run in.
 *
 * <p><b>Auto-commit.</b> A statement ends its own transaction. If the result of another is still
 * open then, what is left of it is read into memory first. Commit and rollback close open results.
 *
 * <p><b>Failure.</b> A transaction that failed as a whole ({@link ErrorCode#endsTransaction}) has
 * been rolled back at once, but is remembered as failed until the user rolls back: statements in
 * between are refused with 25P02, so that half a transaction cannot be committed by accident.
 */
final class SessionTransaction {
  private static final TableEntry[] NO_TABLES = {};

  private final Engine engine;
  private final SessionPlanCache plans;
  private final WorkloadMonitor monitor;
  private final StatementTimer timer;
  private final HeldMetadataLocks metadataLocks = new HeldMetadataLocks();
  private final Savepoints savepoints = new Savepoints();
  private final OpenPortals results = new OpenPortals();

  private Coordinator coordinator;

  /**
   * The transaction; replaced only by {@link #countVerbs}; read by other threads that cancel it.
   */
  private Transaction transaction;

  private MemoryBudget memory;
  private SessionValues session;
  private long statementMemory;
  private NelumboException failure;
  private ConflictPolicy conflictPolicy;
  private long lockTimeoutNanos;

  private boolean autoCommit = true;
  private Isolation isolation;
  private boolean readOnly;
  private Isolation nextIsolation;
  private boolean nextReadOnly;

  /** Auto-commit is off until START TRANSACTION's transaction ends. */
  private boolean started;

  /** What SET LOCAL has changed, and the like, the last change first. */
  private final Deque<Runnable> atEnd = new ArrayDeque<>();

  /** What is taken back with the transaction though it is not part of it, the last first. */
  private final Deque<Runnable> atRollback = new ArrayDeque<>();

  private Consumer<Transaction> beforeCommit = _ -> {};

  SessionTransaction(
      SessionContext context,
      Coordinator coordinator,
      SessionPlanCache plans,
      Isolation isolation,
      boolean readOnly,
      StatementTimer timer) {
    this.engine = context.engine();
    this.monitor = context.monitor();
    this.timer = timer;
    this.plans = plans;
    this.isolation = isolation;
    this.readOnly = readOnly;
    this.coordinator = coordinator;
    this.transaction = coordinator.transaction();
  }

  Transaction transaction() {
    return transaction;
  }

  /** The results whose rows are read from the transaction. */
  OpenPortals results() {
    return results;
  }

  /** Limits the memory that the statements and the transaction may take on the heap. */
  void setMemory(MemoryBudget session, long statementLimit) {
    memory = session;
    statementMemory = statementLimit;
    transaction.limits().setMemory(session, statementLimit);
  }

  /** The budget of the session; any thread. */
  MemoryBudget memory() {
    return memory;
  }

  /** The metadata locks that the session holds; read by schema changes. */
  HeldMetadataLocks metadataLocks() {
    return metadataLocks;
  }

  FabricCounters counters() {
    return coordinator.counters();
  }

  // Settings.

  /** Sets what expressions ask about the session. */
  void setSession(SessionValues values) {
    session = values;
    transaction.setSession(values);
  }

  void setConflictPolicy(ConflictPolicy policy, Duration lockTimeout) {
    conflictPolicy = policy;
    setLockTimeout(lockTimeout);
  }

  void setLockTimeout(Duration timeout) {
    lockTimeoutNanos = timeout.toNanos();
    transaction.setConflictPolicy(conflictPolicy, lockTimeoutNanos);
  }

  Durability durability() {
    return transaction.durability();
  }

  /** For the transaction in progress, and later ones; 0A000 if nothing is written to a disk. */
  void setDurability(Durability value) {
    if (!engine.isDurable() && value != Durability.NONE) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "the database is in memory only: durability is none; jdbc:nelumbo:file:DIRECTORY keeps"
              + " one in files, and so does a memory node that was started with --durable");
    }
    transaction.setDurability(value);
  }

  /**
   * Waits until all that is committed is on the disk, if that is what commits of the session do.
   */
  void awaitDurable() {
    if (durability() == Durability.COMMIT) {
      engine.awaitForced();
    }
  }

  long lockTimeoutNanos() {
    return lockTimeoutNanos;
  }

  /**
   * Whether a statement that lost against another transaction may be run again without the user.
   */
  boolean mayRetry() {
    return autoCommit && conflictPolicy == ConflictPolicy.WAIT_DIE;
  }

  /**
   * Waits a moment for memory after a statement found the pool full and was taken back; false if
   * there is no hope.
   */
  boolean awaitMemory(int attempt) {
    return transaction.awaitMemory(attempt);
  }

  boolean autoCommit() {
    return autoCommit;
  }

  /** Commits a transaction in progress if the mode changes. */
  void setAutoCommit(boolean on) {
    if (on != autoCommit) {
      commit();
    }
    autoCommit = on;
    started = false;
  }

  Isolation isolation() {
    return isolation;
  }

  void setIsolation(Isolation level) {
    if (level != isolation) {
      checkIdle();
      isolation = level;
      nextIsolation = null;
      plans.planFor(level);
    }
  }

  boolean readOnly() {
    return readOnly;
  }

  void setReadOnly(boolean on) {
    if (on != readOnly) {
      checkIdle();
      readOnly = on;
    }
  }

  /** SET TRANSACTION: for the next transaction; null: as the session. */
  void setNext(Isolation level, Boolean isReadOnly) {
    checkIdle();
    nextIsolation = level;
    plans.planFor(level == null ? isolation : level);
    nextReadOnly = Boolean.TRUE.equals(isReadOnly);
  }

  private void checkIdle() {
    if (isActive()) {
      throw new NelumboException(
          ErrorCode.TRANSACTION_ACTIVE,
          "this cannot be changed while a transaction is in progress; commit or roll back first");
    }
  }

  /** Whether the next transaction, or the current one, may only read. */
  boolean nextReadOnly() {
    return readOnly || nextReadOnly;
  }

  /**
   * Goes on with a coordinator that counts verbs, if there is none yet and no transaction is in
   * progress; whether {@link #transaction} is another one now.
   */
  boolean countVerbs() {
    if (isActive() || transaction.counters() != null) {
      return false;
    }
    Durability before = durability();
    coordinator.close();
    coordinator = engine.openCountingCoordinator();
    transaction = coordinator.transaction();
    transaction.setDurability(before);
    setMemory(memory, statementMemory);
    setSession(session);
    transaction.setConflictPolicy(conflictPolicy, lockTimeoutNanos);
    return true;
  }

  /** Does something when the transaction has ended by COMMIT or ROLLBACK. */
  void whenEnded(Runnable action) {
    atEnd.push(action);
  }

  /** Does something when the transaction has been rolled back. */
  void whenRolledBack(Runnable action) {
    atRollback.push(action);
  }

  /** Does something in each transaction that is about to be committed. */
  void beforeCommit(Consumer<Transaction> action) {
    beforeCommit = action;
  }

  // Its beginning.

  private boolean isActive() {
    return transaction.isActive() || failure != null;
  }

  boolean inTransaction() {
    return started || isActive();
  }

  /** Refuses to go on in a transaction that failed. */
  void checkNotFailed() {
    if (failure != null) {
      throw new NelumboException(
          ErrorCode.TRANSACTION_FAILED,
          "the transaction has been rolled back because an earlier statement failed ("
              + failure.sqlState()
              + ": "
              + failure.getMessage()
              + "); call rollback() first");
    }
  }

  /** Locks the metadata of tables; 55P03 if a schema change does not end in time. */
  void lock(TableEntry[] tables) {
    boolean goesOn = transaction.isActive();
    for (TableEntry table : tables) {
      CancellationToken stop = transaction.cancellation();
      if (!metadataLocks.acquire(table.metadataLock(), lockTimeoutNanos, goesOn, stop)) {
        if (stop.isSet()) {
          throw stop.failure();
        }
        transaction.confirmOwner(); // others may have taken this compute node for dead
        throw new NelumboException(
            ErrorCode.LOCK_NOT_AVAILABLE,
            "table " + table + " is being changed; try again, or set a longer lockTimeout");
      }
    }
  }

  /**
   * Locks the metadata of tables if a transaction goes on and no schema change is in the way;
   * whether all of them are locked.
   */
  boolean tryLock(TableEntry[] tables) {
    boolean locked = transaction.isActive();
    for (int i = 0; locked && i < tables.length; i++) {
      locked =
          metadataLocks.acquire(tables[i].metadataLock(), 0, false, transaction.cancellation());
    }
    return locked;
  }

  /** Whether the metadata of all these tables is locked. */
  boolean holds(TableEntry[] tables) {
    for (TableEntry table : tables) {
      if (!metadataLocks.holds(table.metadataLock())) {
        return false;
      }
    }
    return true;
  }

  /** Gives back the metadata locks taken for a transaction that did not begin. */
  void unlockIfIdle() {
    if (!transaction.isActive()) {
      metadataLocks.releaseAll();
    }
  }

  /**
   * What is wrong with reading tables in the transaction that is active: one of them was rebuilt,
   * or got an index, after the transaction's snapshot. Null if nothing is.
   */
  NelumboException outdated(TableEntry[] tables) {
    long snapshot = transaction.snapshot();
    for (TableEntry table : tables) {
      if (table.since() > snapshot) {
        return new NelumboException(
            ErrorCode.SERIALIZATION_FAILURE,
            "table "
                + table
                + " was altered since this transaction's snapshot; roll back and retry the"
                + " transaction");
      }
    }
    return null;
  }

  /** Begins the transaction of a statement that may read only. */
  void begin(boolean statementReadOnly) {
    Isolation level = nextIsolation == null ? isolation : nextIsolation;
    transaction.begin(level, nextReadOnly() || (autoCommit && statementReadOnly));
  }

  /** START TRANSACTION: auto-commit is off until the transaction that begins now ends. */
  void start() {
    detachResults();
    if (inTransaction()) {
      throw new NelumboException(
          ErrorCode.TRANSACTION_ACTIVE,
          "a transaction is in progress; commit or roll it back first");
    }
    started = autoCommit;
    autoCommit = false;
  }

  // Its end.

  /**
   * A row is about to be handed out. In auto-commit mode it counts from then on, not from the
   * commit on.
   */
  void confirmReads() {
    if (autoCommit) {
      transaction.confirmReads();
    }
  }

  /** Ends a statement; in auto-commit mode the transaction with it, unless a result is open. */
  void endStatement() {
    if (autoCommit && results.isEmpty() && transaction.isActive()) {
      commitNow();
    } else {
      transaction.pause();
    }
  }

  /** A statement that has changed nothing has failed, and perhaps the transaction with it. */
  NelumboException failed(NelumboException error) {
    if (autoCommit || error.code().endsTransaction()) {
      rollbackNow();
      failure = autoCommit ? null : error;
    }
    return error;
  }

  /** A statement has failed: takes back what it wrote since the mark, or all of the transaction. */
  NelumboException failed(NelumboException error, long mark) {
    if (!autoCommit && !error.code().endsTransaction()) {
      transaction.rollbackTo(mark);
      transaction.pause();
      return error;
    }
    return failed(error);
  }

  /**
   * A statement could not be planned: nothing was done, but some errors end the transaction. The
   * others may say what is not in the catalogue, which counts if the pool is this compute node's.
   */
  NelumboException notPlanned(NelumboException error) {
    if (error.code().endsTransaction()) {
      fail(error);
    } else {
      transaction.confirmOwner();
    }
    return error;
  }

  /**
   * Something has failed in a way that nobody expected: the transaction ends, and that is noted.
   */
  void fail(NelumboException error) {
    boolean inTransaction = inTransaction();
    rollbackNow();
    if (!autoCommit && inTransaction) {
      failure = error;
    }
  }

  /** Ends the transaction of open results in auto-commit mode; they keep their rows in memory. */
  void detachResults() {
    if (autoCommit && !results.isEmpty()) {
      try {
        results.detachAll();
      } catch (NelumboException e) {
        throw failed(e);
      }
      commitNow();
    }
  }

  /** Reads all rows of a result now; in auto-commit mode the transaction ends. */
  void detach(Portal portal) {
    if (autoCommit) {
      detachResults();
    } else {
      portal.detach();
      results.remove(portal);
    }
  }

  void commit() {
    detachResults();
    long begun = timer.begin();
    boolean committed = false;
    try {
      commitNow();
      committed = true;
    } finally {
      startedEnds(committed);
      timer.end(begun, StatementKind.COMMIT, "COMMIT");
      countAbort(NO_TABLES);
    }
  }

  /** Measures the statements of the session. */
  StatementTimer timer() {
    return timer;
  }

  /** Counts the transaction if a statement on these tables has just lost it. */
  void countAbort(TableEntry[] tables) {
    AbortCause cause = transaction.takeAbortCause();
    if (cause != AbortCause.OTHER) {
      monitor.countAbort(tables, cause);
    }
  }

  void rollback() {
    try {
      rollbackNow();
    } finally {
      startedEnds(false);
    }
  }

  /**
   * Ends the transaction, and begins another one with its properties.
   *
   * @param end commits or rolls back
   */
  void chain(Runnable end) {
    if (autoCommit) {
      throw new NelumboException(
          ErrorCode.NO_ACTIVE_TRANSACTION,
          "AND CHAIN needs a transaction; write START TRANSACTION, or switch auto-commit off");
    }
    boolean wasStarted = started;
    Isolation level = nextIsolation;
    boolean onlyReads = nextReadOnly;
    end.run();
    if (wasStarted) {
      start();
    }
    setNext(level, onlyReads);
  }

  private void commitNow() {
    results.closeAll();
    forgetNext();
    if (failure != null) {
      NelumboException cause = failure;
      ended();
      throw new NelumboException(
          cause.code(),
          "nothing was committed: the transaction had been rolled back because of: "
              + cause.getMessage());
    }
    if (!transaction.isActive()) {
      return;
    }
    assert results.isEmpty() : "open results of a transaction that is committed";
    Outcome status = commitOrAbort();
    ended();
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
  }

  /** Whatever is thrown, the transaction ends: nobody shall go on in it and commit it again. */
  private Outcome commitOrAbort() {
    try {
      beforeCommit.accept(transaction);
      return transaction.commit();
    } catch (RuntimeException | Error e) {
      try {
        transaction.abort();
      } catch (RuntimeException | Error worse) {
        e.addSuppressed(worse);
      } finally {
        ended();
      }
      throw e;
    }
  }

  void rollbackNow() {
    try {
      results.closeAll();
    } finally {
      try {
        forgetNext();
        transaction.abort();
      } finally {
        ended();
      }
    }
  }

  /** What was said about the transaction that ends only is forgotten. */
  private void forgetNext() {
    nextReadOnly = false;
    if (nextIsolation != null) {
      nextIsolation = null;
      plans.planFor(isolation);
    }
  }

  private void ended() {
    savepoints.clear();
    failure = null;
    metadataLocks.releaseAll();
  }

  /**
   * COMMIT or ROLLBACK was said: auto-commit is on again if START TRANSACTION switched it off, and
   * what was set for the transaction is as before.
   */
  private void startedEnds(boolean committed) {
    if (started) {
      started = false;
      autoCommit = true;
    }
    if (committed) {
      atRollback.clear();
    }
    while (!atRollback.isEmpty()) {
      atRollback.pop().run();
    }
    while (!atEnd.isEmpty()) {
      atEnd.pop().run();
    }
  }

  // Savepoints.

  Savepoint setSavepoint(String nameOrNull) {
    checkNotFailed();
    if (!transaction.isActive()) {
      begin(false);
    }
    return savepoints.set(nameOrNull, transaction.savepoint());
  }

  void rollbackTo(Savepoint savepoint) {
    checkNotFailed();
    results.closeAll();
    transaction.rollbackTo(savepoints.rollbackTo(savepoint));
  }

  void release(Savepoint savepoint) {
    checkNotFailed();
    savepoints.release(savepoint);
  }

  /** ROLLBACK TO SAVEPOINT, which knows the name only. */
  void rollbackTo(String name) {
    rollbackTo(new Savepoint(0, name));
  }

  /** RELEASE SAVEPOINT, which knows the name only. */
  void release(String name) {
    release(new Savepoint(0, name));
  }

  // The end of the session.

  /** Lets go of the pool's memory without touching it. */
  void abandon() {
    coordinator.abandon();
    metadataLocks.releaseAll();
    memory.close();
  }

  /**
   * Gives back what the session holds, whose transaction has ended; one that has not is aborted.
   */
  void close() {
    try {
      coordinator.close();
    } finally {
      memory.close();
    }
  }
}
