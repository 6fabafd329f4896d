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
 * The transaction of a session and everything that ends with it: the metadata locks of its tables,
 * its savepoints, the results that are streamed from it. It begins when a statement needs it. Used
 * by one thread at a time.
 *
 * <p><b>Modes.</b> Isolation, read-only and auto-commit are properties of the session; SET
 * TRANSACTION and START TRANSACTION override them for the next transaction only. Statements are
 * planned for the isolation of the transaction in which they will run.
 *
 * <p><b>Auto-commit.</b> A statement ends its own transaction. If the result of another statement
 * is still open then, its remaining rows are read into memory first. Commit and rollback close open
 * results.
 *
 * <p><b>Failure.</b> A transaction that failed as a whole ({@link ErrorCode#endsTransaction}) is
 * rolled back immediately, but remains marked as failed until the user rolls back. Until then
 * statements are rejected with 25P02, so that half a transaction cannot be committed by accident.
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

  /** Replaced only by {@link #countVerbs}; other threads read it to cancel the transaction. */
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

  /** True if auto-commit is off until the transaction of START TRANSACTION ends. */
  private boolean started;

  /** Actions that undo SET LOCAL and similar statements, the latest first. */
  private final Deque<Runnable> atEnd = new ArrayDeque<>();

  /** Actions that undo effects outside of the transaction after a rollback, the latest first. */
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

  /** Returns the results whose rows are streamed from the transaction. */
  OpenPortals results() {
    return results;
  }

  /** Limits the heap memory of the statements and the transaction. */
  void setMemory(MemoryBudget session, long statementLimit) {
    memory = session;
    statementMemory = statementLimit;
    transaction.limits().setMemory(session, statementLimit);
  }

  /** Returns the budget of the session. Any thread may call it. */
  MemoryBudget memory() {
    return memory;
  }

  /** Returns the metadata locks of the session, which schema changes read. */
  HeldMetadataLocks metadataLocks() {
    return metadataLocks;
  }

  FabricCounters counters() {
    return coordinator.counters();
  }

  // Settings.

  /** Sets the values that expressions read from the session. */
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

  /**
   * Sets the durability of the transaction in progress and of later ones; throws 0A000 if the
   * database is not written to a disk.
   */
  void setDurability(Durability value) {
    if (!engine.isDurable() && value != Durability.NONE) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED,
          "the database is in memory only: durability is none; databases in files"
              + " (jdbc:nelumbo:file:DIRECTORY) and on memory nodes with --durable are durable");
    }
    transaction.setDurability(value);
  }

  /** Waits until all commits are on the disk, if the session's commits are durable. */
  void awaitDurable() {
    if (durability() == Durability.COMMIT) {
      engine.awaitForced();
    }
  }

  long lockTimeoutNanos() {
    return lockTimeoutNanos;
  }

  /** Returns true if a statement that lost a conflict may be retried without the user. */
  boolean mayRetry() {
    return autoCommit && conflictPolicy == ConflictPolicy.WAIT_DIE;
  }

  /**
   * Waits briefly for memory after a statement that found the pool full was undone; returns false
   * if no memory is about to be freed.
   */
  boolean awaitMemory(int attempt) {
    return transaction.awaitMemory(attempt);
  }

  boolean autoCommit() {
    return autoCommit;
  }

  /** Sets the mode; a change commits the transaction in progress. */
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

  /** Implements SET TRANSACTION for the next transaction; null keeps the session's setting. */
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

  /** Returns true if the current or next transaction is read-only. */
  boolean nextReadOnly() {
    return readOnly || nextReadOnly;
  }

  /**
   * Switches to a coordinator that counts verbs, unless there is one or a transaction is in
   * progress.
   *
   * @return true if {@link #transaction} has changed
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

  /** Registers an action to run after COMMIT or ROLLBACK has ended the transaction. */
  void whenEnded(Runnable action) {
    atEnd.push(action);
  }

  /** Registers an action to run after the transaction has been rolled back. */
  void whenRolledBack(Runnable action) {
    atRollback.push(action);
  }

  /** Registers an action to run in each transaction that is about to be committed. */
  void beforeCommit(Consumer<Transaction> action) {
    beforeCommit = action;
  }

  // Beginning a transaction.

  private boolean isActive() {
    return transaction.isActive() || failure != null;
  }

  boolean inTransaction() {
    return started || isActive();
  }

  /** Throws if the transaction has failed. */
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

  /** Locks the metadata of tables; throws 55P03 if a schema change does not end in time. */
  void lock(TableEntry[] tables) {
    boolean goesOn = transaction.isActive();
    for (TableEntry table : tables) {
      CancellationToken stop = transaction.cancellation();
      if (!metadataLocks.acquire(table.metadataLock(), lockTimeoutNanos, goesOn, stop)) {
        if (stop.isSet()) {
          throw stop.failure();
        }
        transaction.confirmOwner(); // other members may have declared this compute node failed
        throw new NelumboException(
            ErrorCode.LOCK_NOT_AVAILABLE,
            "table " + table + " is being changed; try again, or set a longer lockTimeout");
      }
    }
  }

  /**
   * Locks the metadata of tables without waiting, if a transaction is active; returns true if all
   * of them are locked.
   */
  boolean tryLock(TableEntry[] tables) {
    boolean locked = transaction.isActive();
    for (int i = 0; locked && i < tables.length; i++) {
      locked =
          metadataLocks.acquire(tables[i].metadataLock(), 0, false, transaction.cancellation());
    }
    return locked;
  }

  /** Returns true if the metadata of all these tables is locked. */
  boolean holds(TableEntry[] tables) {
    for (TableEntry table : tables) {
      if (!metadataLocks.holds(table.metadataLock())) {
        return false;
      }
    }
    return true;
  }

  /** Releases the metadata locks of a transaction that did not begin. */
  void unlockIfIdle() {
    if (!transaction.isActive()) {
      metadataLocks.releaseAll();
    }
  }

  /**
   * Returns an error if a table was rebuilt, or got an index, after the snapshot of the active
   * transaction, so that the transaction cannot read it; null otherwise.
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

  /**
   * Begins the transaction of a statement.
   *
   * @param statementReadOnly true if the statement writes and locks nothing
   * @param readsOnce true if the statement only reads one row by its key
   */
  void begin(boolean statementReadOnly, boolean readsOnce) {
    Isolation level = nextIsolation == null ? isolation : nextIsolation;
    if (autoCommit && readsOnce) {
      transaction.beginSingleRead(level);
      return;
    }
    transaction.begin(level, nextReadOnly() || (autoCommit && statementReadOnly));
  }

  /**
   * Implements START TRANSACTION: auto-commit is off until the transaction that now begins ends.
   */
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

  // Ending a transaction.

  /**
   * Called before a row is returned to the user. In auto-commit mode the row must be valid from
   * then on, not only from the commit on.
   */
  void confirmReads() {
    if (autoCommit) {
      transaction.confirmReads();
    }
  }

  /** Ends a statement; in auto-commit mode also the transaction, unless a result is open. */
  void endStatement() {
    if (autoCommit && results.isEmpty() && transaction.isActive()) {
      commitNow();
    } else {
      transaction.pause();
    }
  }

  /**
   * Handles the failure of a statement that has changed nothing, and perhaps of the transaction.
   */
  NelumboException failed(NelumboException error) {
    if (autoCommit || error.code().endsTransaction()) {
      rollbackNow();
      failure = autoCommit ? null : error;
    }
    return error;
  }

  /**
   * Handles the failure of a statement: undoes its writes since the mark, or the whole transaction.
   */
  NelumboException failed(NelumboException error, long mark) {
    if (!autoCommit && !error.code().endsTransaction()) {
      transaction.rollbackTo(mark);
      transaction.pause();
      return error;
    }
    return failed(error);
  }

  /**
   * Handles a planning failure. Nothing was changed, but some errors end the transaction. Other
   * errors may report a missing object, which is valid only if this compute node still owns the
   * pool.
   */
  NelumboException notPlanned(NelumboException error) {
    if (error.code().endsTransaction()) {
      fail(error);
    } else {
      transaction.confirmOwner();
    }
    return error;
  }

  /** Ends the transaction after an unexpected error, and records the failure. */
  void fail(NelumboException error) {
    boolean inTransaction = inTransaction();
    rollbackNow();
    if (!autoCommit && inTransaction) {
      failure = error;
    }
  }

  /** Ends the transaction of open results in auto-commit mode; their rows stay in memory. */
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

  /** Reads all rows of a result into memory; in auto-commit mode this ends the transaction. */
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

  /** Returns the timer of the session's statements. */
  StatementTimer timer() {
    return timer;
  }

  /** Counts the abort if a statement on these tables has just lost the transaction. */
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

  /**
   * After any exception the transaction is ended, so that it cannot be continued and committed
   * again.
   */
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
      begin(false, false);
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

  /** Implements ROLLBACK TO SAVEPOINT, which identifies the savepoint by name. */
  void rollbackTo(String name) {
    rollbackTo(new Savepoint(0, name));
  }

  /** Implements RELEASE SAVEPOINT, which identifies the savepoint by name. */
  void release(String name) {
    release(new Savepoint(0, name));
  }

  // Closing the session.

  /** Releases the resources without touching the pool's memory. */
  void abandon() {
    coordinator.abandon();
    metadataLocks.releaseAll();
    memory.close();
  }

  /** Releases the resources of the session; aborts a transaction in progress. */
  void close() {
    try {
      coordinator.close();
    } finally {
      memory.close();
    }
  }
}
