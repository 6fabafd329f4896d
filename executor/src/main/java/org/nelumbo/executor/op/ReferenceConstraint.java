package org.nelumbo.executor.op;

import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * FOREIGN KEY, either side: the referenced row must exist when a referring row is written, or no
 * referring row may exist when a referenced one goes. A probe operator looks; it refers to the row
 * through the frame. If one of the key values is NULL the constraint holds.
 */
public final class ReferenceConstraint extends RowConstraint {
  /** What a probe that wants one row reads at first. */
  private static final int PROBED_ROWS = 8;

  private final String name;
  private final String table;
  private final Operator probe;
  private final Expression[] keys;
  private final boolean mustExist;

  /**
   * A constraint.
   *
   * @param table the table that is being changed, for the message
   * @param probe finds the rows of the other table
   * @param keys the foreign key's values in the row being changed
   * @param mustExist whether the probe has to find a row, or must not
   */
  public ReferenceConstraint(
      String name, String table, Operator probe, Expression[] keys, boolean mustExist) {
    this.name = name;
    this.table = table;
    this.probe = probe;
    this.keys = keys;
    this.mustExist = mustExist;
  }

  @Override
  void foresee(Frame frame, ReadAhead ahead) {
    Foreseen first = probe.foreseen();
    if (first != null && !hasNull(frame)) {
      first.foresee(frame, ahead, PROBED_ROWS);
    }
  }

  private boolean hasNull(Frame frame) {
    for (Expression key : keys) {
      if (key.isNull(frame)) {
        return true;
      }
    }
    return false;
  }

  @Override
  void check(Frame frame, Transaction transaction) {
    if (hasNull(frame)) {
      return;
    }
    if (!mustExist) {
      transaction.forgetReadAhead();
    }
    probe.open(frame, transaction);
    boolean exists = probe.next();
    probe.close();
    if (exists != mustExist) {
      throw new NelumboException(
          ErrorCode.FOREIGN_KEY_VIOLATION,
          "foreign key "
              + name
              + (mustExist ? ": no referenced row for " : ": still referenced is ")
              + table
              + " ("
              + Violations.values(keys, frame)
              + ")");
    }
  }

  @Override
  void close() {
    probe.close();
  }

  @Override
  RowConstraint copy() {
    return new ReferenceConstraint(name, table, Operator.Copier.PLAIN.copy(probe), keys, mustExist);
  }
}
