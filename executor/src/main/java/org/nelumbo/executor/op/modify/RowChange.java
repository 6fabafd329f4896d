package org.nelumbo.executor.op.modify;

/**
 * A change of single rows, as part of a statement that has several kinds of changes. The statement
 * carries out the change in the turn of each row, and in the end, in this order, those of all rows
 * set aside, and the checks that had to wait.
 */
interface RowChange {
  /** Changes the row that the frame shows; false if the row is gone, or is set aside. */
  boolean changeInTurn();

  /** Deletes the old images of the rows set aside. */
  void deleteDeferred();

  /** Changes the next row that was set aside, which the frame shows then; false if none is left. */
  boolean changeDeferred();

  /** Checks the constraints that were put off until all rows have been changed. */
  void finishChecks();
}
