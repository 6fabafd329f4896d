package org.nelumbo.executor.op;

import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.Anticipation;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/** Something that has to hold for each row that a statement has written (or deleted). */
public abstract class RowConstraint {
  /**
   * Checks the row that the frame shows at the place the constraint was made for.
   *
   * @param foreseen whether what was read ahead was read when the row was locked already
   * @throws org.nelumbo.executor.error.NelumboException if it does not hold
   */
  abstract void check(Frame frame, Transaction transaction, boolean foreseen);

  /** Adds what a check will read, as far as it is known before the statement runs. */
  void anticipate(Frame frame, Anticipation anticipation) {}

  /** What can be told of the reads of a check before it runs. */
  enum Foresight {
    NONE,
    /** What it begins with. */
    READS,
    /** Which values of unique indexes it is about. */
    VALUES,
    /** That it reads a whole table, which may as well be read for many rows. */
    SCAN
  }

  Foresight foresight() {
    return Foresight.NONE;
  }

  /** Adds what a check of the row that the frame shows will read. */
  void foresee(Frame frame, ReadAhead ahead) {}

  /** The rows that were foreseen since the last call are all of a batch, and locked. */
  void complete(Frame frame, Transaction transaction) {}

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

  /** Checks a row for which nothing was read ahead. */
  static void checkAll(RowConstraint[] constraints, Frame frame, Transaction transaction) {
    checkAll(constraints, frame, transaction, false);
  }

  static void checkAll(
      RowConstraint[] constraints, Frame frame, Transaction transaction, boolean foreseen) {
    for (RowConstraint constraint : constraints) {
      constraint.check(frame, transaction, foreseen);
    }
  }

  static void anticipateAll(RowConstraint[] constraints, Frame frame, Anticipation anticipation) {
    for (RowConstraint constraint : constraints) {
      constraint.anticipate(frame, anticipation);
    }
  }

  static void closeAll(RowConstraint[] constraints) {
    for (RowConstraint constraint : constraints) {
      constraint.close();
    }
  }
}
