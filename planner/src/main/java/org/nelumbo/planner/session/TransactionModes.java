package org.nelumbo.planner.session;

import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.txn.Isolation;

/**
 * How a session's transactions run: the session's own isolation, read-only and auto-commit, and
 * what SET TRANSACTION and START TRANSACTION say about the next transaction only. Statements are
 * planned for the isolation of the transaction they will run in. One thread at a time.
 */
final class TransactionModes {
  private final SessionTransaction control;
  private final SessionPlanCache plans;
  private boolean autoCommit = true;
  private Isolation isolation;
  private boolean readOnly;
  private Isolation nextIsolation;
  private boolean nextReadOnly;

  /** Auto-commit is off until START TRANSACTION's transaction ends. */
  private boolean started;

  TransactionModes(
      SessionTransaction control, SessionPlanCache plans, Isolation isolation, boolean readOnly) {
    this.control = control;
    this.plans = plans;
    this.isolation = isolation;
    this.readOnly = readOnly;
  }

  boolean autoCommit() {
    return autoCommit;
  }

  /** What holds from now on; a transaction that START TRANSACTION began has ended. */
  void setAutoCommit(boolean on) {
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

  /** The isolation of the next transaction. */
  Isolation nextIsolation() {
    return nextIsolation == null ? isolation : nextIsolation;
  }

  /** Whether the next transaction, or the current one, may only read. */
  boolean nextReadOnly() {
    return readOnly || nextReadOnly;
  }

  boolean inTransaction() {
    return started || control.isActive();
  }

  /** Auto-commit is off until the transaction that begins now ends. */
  void start() {
    if (inTransaction()) {
      throw new NelumboException(
          ErrorCode.TRANSACTION_ACTIVE,
          "a transaction is in progress; commit or roll it back first");
    }
    started = autoCommit;
    autoCommit = false;
  }

  /** SET TRANSACTION: for the next transaction. */
  void setNext(Isolation level, Boolean isReadOnly) {
    checkIdle();
    nextIsolation = level;
    plans.planFor(level == null ? isolation : level);
    nextReadOnly = Boolean.TRUE.equals(isReadOnly);
  }

  private void checkIdle() {
    if (control.isActive()) {
      throw new NelumboException(
          ErrorCode.TRANSACTION_ACTIVE,
          "this cannot be changed while a transaction is in progress; commit or roll back first");
    }
  }

  /** The transaction ends: what was said about it only is forgotten. */
  void transactionEnds() {
    nextReadOnly = false;
    if (nextIsolation != null) {
      nextIsolation = null;
      plans.planFor(isolation);
    }
  }

  /** COMMIT or ROLLBACK was said: auto-commit is on again if START TRANSACTION switched it off. */
  void startedEnds() {
    if (started) {
      started = false;
      autoCommit = true;
    }
  }
}
