package org.nelumbo.executor.txn;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.outcome.Outcome;

/** Builds the exceptions for a transaction's failures, with messages that describe the remedy. */
final class TransactionFailure {
  private TransactionFailure() {}

  /**
   * Returns the exception for an outcome after which the transaction can only be aborted.
   *
   * @param location null if it is not known
   */
  static NelumboException of(
      Outcome status, TransactionContext context, ConflictLocation location) {
    context.lastFailure = status;
    return switch (status) {
      case Outcome.CONFLICT -> conflict(context, location);
      case Outcome.TOO_OLD ->
          new NelumboException(
              ErrorCode.SERIALIZATION_FAILURE,
              "snapshot too old: versions it needs are no longer kept (snapshotRetention); roll"
                  + " back and retry the transaction");
      case Outcome.EXHAUSTED ->
          new NelumboException(ErrorCode.POOL_FULL, context.coordinator.memory().describeFull());
      case Outcome.CANCELLED -> context.cancellation.failure();
      case Outcome.TOO_FEW_COPIES ->
          new NelumboException(
              ErrorCode.TOO_FEW_COPIES,
              "the transaction was rolled back: "
                  + context.coordinator.memory().liveCopies()
                  + " copies of the pool are live, minCopies="
                  + context.coordinator.memory().minCopies()
                  + " are required; start the excluded memory nodes (SYS.MEMORY_NODES shows"
                  + " why they are OUT), and try again when they are filled");
      case Outcome.NO_TIMESTAMPS ->
          new NelumboException(
              ErrorCode.NO_TIMESTAMPS,
              "the transaction was rolled back: the pool has no commit timestamps left,"
                  + " because the clock of a compute node was wrong by decades; correct the"
                  + " clocks, and load a dump of the data (SCRIPT) into a new pool");
      default -> throw new IllegalArgumentException("not a failure status=" + status);
    };
  }

  private static NelumboException conflict(TransactionContext context, ConflictLocation location) {
    if (context.view.isChangedSinceSnapshot()) {
      return new NelumboException(
          ErrorCode.SERIALIZATION_FAILURE,
          (location == null
                  ? "the row"
                  : location.row() == null ? location.other() : location.row())
              + " was changed by another transaction since this one's snapshot; roll back and"
              + " retry the transaction");
    }
    String failure =
        location == null
            ? context.locks.describeFailure()
            : context.locks.describeFailure(location.rowKey(), location.row(), location.other());
    return context.locks.isNoWait()
        ? new NelumboException(ErrorCode.LOCK_NOT_AVAILABLE, failure + ", and NOWAIT is set")
        : new NelumboException(
            ErrorCode.SERIALIZATION_FAILURE, failure + "; roll back and retry the transaction");
  }
}
