package org.nelumbo.planner.session;

import java.time.Duration;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Anticipation;
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
  private final Guard guard;
  private final TransactionControl control;
  private final TransactionModes modes;
  private final SessionPlans plans;
  private final OpenResults results = new OpenResults();

  /** Another one only from {@link #countVerbs} on; read by other threads that cancel it. */
  private Transaction transaction;

  private Anticipation anticipation;
  private Duration queryTimeout;
  private volatile String runningSql;

  StatementFrame(
      Guard guard,
      TransactionControl control,
      TransactionModes modes,
      SessionPlans plans,
      Duration queryTimeout) {
    this.guard = guard;
    this.control = control;
    this.modes = modes;
    this.plans = plans;
    this.queryTimeout = queryTimeout;
    this.transaction = control.transaction();
    this.anticipation = transaction.newAnticipation();
  }

  Transaction transaction() {
    return transaction;
  }

  Anticipation anticipation() {
    return anticipation;
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
    transaction.interruption().cancel();
  }

  /** Counts verbs from the next transaction on, for EXPLAIN ANALYZE. */
  void countVerbs() {
    if (control.countVerbs()) {
      transaction = control.transaction();
      anticipation = transaction.newAnticipation();
    }
  }

  /** A statement begins: from now on it can be cancelled, and its time runs. */
  void arm(LocalExecution execution) {
    long timeout = execution.timeoutNanos() > 0 ? execution.timeoutNanos() : queryTimeout.toNanos();
    transaction.interruption().arm(timeout);
    if (guard.isAborted()) {
      transaction.interruption().cancel();
    }
  }

  /** Makes sure that the plan is good, its tables are entered, and a transaction is active. */
  Compiled begin(LocalExecution execution, boolean statementReadOnly) {
    control.checkNotFailed();
    if (modes.autoCommit() && !results.isEmpty()) {
      detachResults();
    }
    Compiled compiled = enterTables(execution);
    boolean readOnly = modes.nextReadOnly();
    if (!statementReadOnly && readOnly && !compiled.readOnly()) {
      control.leaveIfIdle();
      throw new NelumboException(
          ErrorCode.READ_ONLY_TRANSACTION,
          "the transaction is read-only; call setReadOnly(false) before it begins");
    }
    if (!transaction.isActive()) {
      control.begin(modes.nextIsolation(), readOnly || (modes.autoCommit() && compiled.readOnly()));
    } else {
      NelumboException outdated = control.outdated(compiled.tables());
      if (outdated != null) {
        throw failed(outdated, false, 0);
      }
    }
    runningSql = compiled.sql();
    return compiled;
  }

  /** Enters the tables of a plan that is still good then; the statement is planned anew if not. */
  private Compiled enterTables(LocalExecution execution) {
    Compiled compiled = execution.compiled();
    boolean entered = false;
    try {
      while (true) {
        control.enter(compiled.tables());
        if (plans.isCurrent(compiled)) {
          break;
        }
        control.leaveIfIdle();
        compiled = execution.refresh();
      }
      entered = true;
    } finally {
      if (!entered) {
        control.leaveIfIdle();
      }
    }
    return compiled;
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
