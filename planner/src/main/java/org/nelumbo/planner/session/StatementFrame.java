package org.nelumbo.planner.session;

import java.time.Duration;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.txn.Transaction;

/**
 * What surrounds each statement of a session: before it a transaction, the gates of its tables, a
 * plan that is still good, and a time limit; after it the end of the transaction in auto-commit
 * mode, and what a failure takes back. One thread at a time, except where stated.
 *
 * <p>In auto-commit mode a statement ends its own transaction; if the result of another is still
 * open then, what is left of it is read into memory first. Commit and rollback close open results.
 */
final class StatementFrame {
  private final SessionMutex sessionMutex;
  private final SessionTransaction control;
  private final TransactionModes modes;
  private final SessionPlanCache plans;
  private final OpenResults results = new OpenResults();

  /** Another one only from {@link #countVerbs} on; read by other threads that cancel it. */
  private Transaction transaction;

  private PrefetchHints prefetchHints;
  private Duration queryTimeout;
  private volatile String runningSql;

  StatementFrame(
      SessionMutex sessionMutex,
      SessionTransaction control,
      TransactionModes modes,
      SessionPlanCache plans,
      Duration queryTimeout) {
    this.sessionMutex = sessionMutex;
    this.control = control;
    this.modes = modes;
    this.plans = plans;
    this.queryTimeout = queryTimeout;
    this.transaction = control.transaction();
    this.prefetchHints = transaction.newPrefetchHints();
  }

  Transaction transaction() {
    return transaction;
  }

  PrefetchHints prefetchHints() {
    return prefetchHints;
  }

  OpenResults results() {
    return results;
  }

  Duration queryTimeout() {
    return queryTimeout;
  }

  void setQueryTimeout(Duration timeout) {
    queryTimeout = timeout;
  }

  /** The statement being run, null if none is; any thread. */
  String runningSql() {
    return runningSql;
  }

  void running(String sqlOrNull) {
    runningSql = sqlOrNull;
  }

  /** Makes a statement in progress stop; any thread. */
  void cancel() {
    transaction.cancellation().cancel();
  }

  /** Counts verbs from the next transaction on, for EXPLAIN ANALYZE. */
  void countVerbs() {
    if (control.countVerbs()) {
      transaction = control.transaction();
      prefetchHints = transaction.newPrefetchHints();
    }
  }

  /** A statement begins: from now on it can be cancelled, and its time runs. */
  void arm(LocalExecution execution) {
    long timeout = execution.timeoutNanos() > 0 ? execution.timeoutNanos() : queryTimeout.toNanos();
    transaction.cancellation().arm(timeout);
    if (sessionMutex.isAborted()) {
      transaction.cancellation().cancel();
    }
  }

  /** Makes sure that the plan is good, its tables are entered, and a transaction is active. */
  CachedStatement begin(LocalExecution execution, boolean statementReadOnly) {
    control.checkNotFailed();
    if (modes.autoCommit() && !results.isEmpty()) {
      detachResults();
    }
    CachedStatement cachedStatement = enterTables(execution);
    boolean readOnly = modes.nextReadOnly();
    if (!statementReadOnly && readOnly && !cachedStatement.readOnly()) {
      control.leaveIfIdle();
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION,
          "the transaction is read-only; call setReadOnly(false) before it begins");
    }
    if (!transaction.isActive()) {
      control.begin(
          modes.nextIsolation(), readOnly || (modes.autoCommit() && cachedStatement.readOnly()));
    } else {
      NelumboException outdated = control.outdated(cachedStatement.tables());
      if (outdated != null) {
        throw failed(outdated, false, 0);
      }
    }
    runningSql = cachedStatement.sql();
    return cachedStatement;
  }

  /** Enters the tables of a plan that is still good then; the statement is planned anew if not. */
  private CachedStatement enterTables(LocalExecution execution) {
    CachedStatement cachedStatement = execution.cachedStatement();
    boolean entered = false;
    try {
      while (true) {
        control.enter(cachedStatement.tables());
        if (plans.isCurrent(cachedStatement)) {
          break;
        }
        control.leaveIfIdle();
        cachedStatement = execution.refresh();
      }
      entered = true;
    } finally {
      if (!entered) {
        control.leaveIfIdle();
      }
    }
    return cachedStatement;
  }

  /** A statement has come to its end; last: no other result is open. */
  void end(boolean last) {
    if (modes.autoCommit() && last && transaction.isActive()) {
      modes.transactionEnds();
      control.commit();
    } else {
      transaction.pause();
    }
  }

  /** A statement has failed: takes back what it did, or the whole transaction if that failed. */
  NelumboException failed(NelumboException error, boolean changed, long mark) {
    if (modes.autoCommit() || error.code().endsTransaction()) {
      results.closeAll();
      modes.transactionEnds();
      if (modes.autoCommit()) {
        control.rollback();
      } else {
        control.fail(error);
      }
    } else if (changed) {
      transaction.rollbackTo(mark);
      transaction.pause();
    }
    return error;
  }

  /** As {@link #failed} for what should not happen. */
  void failedInside(boolean changed, long mark) {
    failed(
        new NelumboException(ErrorCode.INTERNAL, "the statement failed for an internal reason"),
        changed,
        mark);
  }

  /** Ends the transaction, keeping what is left of open results in memory. */
  void detachResults() {
    results.detachAll();
    modes.transactionEnds();
    control.commit();
  }

  void commit() {
    try {
      results.closeAll();
      modes.transactionEnds();
      control.commit();
    } finally {
      modes.startedEnds();
    }
  }

  void rollback() {
    try {
      results.closeAll();
      modes.transactionEnds();
      control.rollback();
    } finally {
      modes.startedEnds();
    }
  }
}
