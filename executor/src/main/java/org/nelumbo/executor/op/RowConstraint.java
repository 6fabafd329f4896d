package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/** Something that has to hold for each row that a statement has written (or deleted). */
public abstract class RowConstraint {
  /**
   * Checks the row that the frame shows at the place the constraint was made for.
   *
   * @throws org.nelumbo.executor.error.NelumboException if it does not hold
   */
  abstract void check(Frame frame, Transaction transaction);

  /** Adds what a check of the row that the frame shows will read. */
  void foresee(Frame frame, ReadAhead ahead) {}

  /** The same constraint with its own state. */
  abstract RowConstraint copy();

  /** Gives back what the last check may have left open. */
  void close() {}

  static RowConstraint[] copy(RowConstraint[] constraints) {
    RowConstraint[] copies = new RowConstraint[constraints.length];
    for (int i = 0; i < copies.length; i++) {
      copies[i] = constraints[i].copy();
    }
    return copies;
  }

  static void checkAll(RowConstraint[] constraints, Frame frame, Transaction transaction) {
    for (RowConstraint constraint : constraints) {
      constraint.check(frame, transaction);
    }
  }

  static void closeAll(RowConstraint[] constraints) {
    for (RowConstraint constraint : constraints) {
      constraint.close();
    }
  }
}
