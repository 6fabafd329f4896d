package org.nelumbo.planner.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.lock.ConflictPolicy;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.txn.Isolation;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.planner.Savepoint;
import org.nelumbo.planner.catalog.HeldMetadataLocks;
import org.nelumbo.planner.catalog.TableEntry;

/**
 * A session's transaction: begun when needed, ended with its gates and savepoints. A transaction
 * that failed as a whole (40001, 57014) has been rolled back at once, but is remembered as failed
 * until the user rolls back: statements in between are refused with 25P02, so that half a
 * transaction cannot be committed by accident. One thread at a time.
 */
final class SessionTransaction {
  private final Engine engine;
  private Coordinator coordinator;
  private Transaction transaction;
  private final HeldMetadataLocks pass;
  private final List<Mark> savepoints = new ArrayList<>();
  private int lastSavepointId;
  private NelumboException failure;
  private ConflictPolicy conflictPolicy;
  private long lockTimeoutNanos;

  private record Mark(Savepoint savepoint, long position) {}

  SessionTransaction(
      Engine engine, HeldMetadataLocks pass, ConflictPolicy policy, Duration lockTimeout) {
    this.engine = engine;
    this.coordinator = engine.openCoordinator();
    this.transaction = coordinator.transaction();
    this.pass = pass;
    this.conflictPolicy = policy;
    setLockTimeout(lockTimeout);
  }

  Transaction transaction() {
    return transaction;
  }

  FabricCounters counters() {
    return coordinator.counters();
  }

  void setLockTimeout(Duration timeout) {
    lockTimeoutNanos = timeout.toNanos();
    transaction.setConflictPolicy(conflictPolicy, lockTimeoutNanos);
  }

  long lockTimeoutNanos() {
    return lockTimeoutNanos;
  }

  /**
   * Whether a statement that lost against another transaction may be run again without the user.
   */
  boolean waits() {
    return conflictPolicy == ConflictPolicy.WAIT_DIE;
  }

  boolean isActive() {
    return transaction.isActive() || failure != null;
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

  /** Enters the gates of tables; 55P03 if one stays closed for a schema change. */
  void enter(TableEntry[] tables) {
    for (TableEntry table : tables) {
      if (!pass.acquire(table.metadataLock(), lockTimeoutNanos)) {
        throw new NelumboException(
            ErrorCode.LOCK_NOT_AVAILABLE,
            "table " + table + " is being changed; try again, or set a longer lockTimeout");
      }
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

  /**
   * Goes on with a coordinator that counts verbs, if there is none yet and no transaction is in
   * progress; whether {@link #transaction} is another one now.
   */
  boolean countVerbs() {
    if (isActive() || transaction.counters() != null) {
      return false;
    }
    coordinator.close();
    coordinator = engine.openCountingCoordinator();
    transaction = coordinator.transaction();
    transaction.setConflictPolicy(conflictPolicy, lockTimeoutNanos);
    return true;
  }

  /**
   * Enters the gates of tables if a transaction goes on and none of them is closed; whether it is
   * inside of all of them.
   */
  boolean tryEnter(TableEntry[] tables) {
    boolean inside = transaction.isActive();
    for (int i = 0; inside && i < tables.length; i++) {
      inside = pass.acquire(tables[i].metadataLock(), 0);
    }
    return inside;
  }

  /** Leaves the gates of tables entered for a transaction that did not begin. */
  void leaveIfIdle() {
    if (!transaction.isActive()) {
      pass.releaseAll();
    }
  }

  void begin(Isolation isolation, boolean readOnly) {
    transaction.begin(isolation, readOnly);
  }

  void commit() {
    if (failure != null) {
      NelumboException cause = failure;
      end();
      throw new NelumboException(
          cause.code(),
          "nothing was committed: the transaction had been rolled back because of: "
              + cause.getMessage());
    }
    if (!transaction.isActive()) {
      return;
    }
    int status = transaction.commit();
    end();
    if (status != Outcome.OK) {
      throw transaction.failure(status);
    }
  }

  void rollback() {
    transaction.abort();
    end();
  }

  /** Rolls back, and remembers why. */
  void fail(NelumboException cause) {
    transaction.abort();
    end();
    failure = cause;
  }

  private void end() {
    savepoints.clear();
    failure = null;
    pass.releaseAll();
  }

  Savepoint setSavepoint(String name) {
    Savepoint savepoint = new Savepoint(++lastSavepointId, name);
    if (name != null) {
      savepoints.removeIf(mark -> name.equals(mark.savepoint.name()));
    }
    savepoints.add(new Mark(savepoint, transaction.savepoint()));
    return savepoint;
  }

  private int position(Savepoint savepoint) {
    for (int i = savepoints.size() - 1; i >= 0; i--) {
      Savepoint known = savepoints.get(i).savepoint;
      boolean same =
          savepoint.id() == 0
              ? savepoint.name().equals(known.name())
              : savepoint.id() == known.id();
      if (same) {
        return i;
      }
    }
    throw new NelumboException(
        ErrorCode.NO_SUCH_SAVEPOINT,
        "there is no savepoint "
            + (savepoint.name() == null ? savepoint.id() : savepoint.name())
            + " in the current transaction");
  }

  void rollbackTo(Savepoint savepoint) {
    int at = position(savepoint);
    transaction.rollbackTo(savepoints.get(at).position);
    savepoints.subList(at + 1, savepoints.size()).clear();
  }

  void release(Savepoint savepoint) {
    int at = position(savepoint);
    savepoints.subList(at, savepoints.size()).clear();
  }

  /** Lets go of the pool's memory without touching it. */
  void abandon() {
    coordinator.abandon();
    pass.releaseAll();
  }

  void close() {
    coordinator.close();
    end();
  }
}
