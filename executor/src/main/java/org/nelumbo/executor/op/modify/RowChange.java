package org.nelumbo.executor.op.modify;

/**
 * A change of single rows, as a part of a statement with several kinds of changes. The statement
 * executes the change for each row, and finally, in this order, the changes of all deferred rows
 * and the postponed checks.
 */
interface RowChange {
  /** Changes the frame's current row; returns false if the row no longer exists or is deferred. */
  boolean changeInTurn();

  /** Deletes the old images of the deferred rows. */
  void deleteDeferred();

  /** Changes the next deferred row, which the frame then shows; returns false if none is left. */
  boolean changeDeferred();

  /** Performs the checks that were postponed until all rows have been changed. */
  void finishChecks();
}
