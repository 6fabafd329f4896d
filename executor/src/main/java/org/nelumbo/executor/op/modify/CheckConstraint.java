package org.nelumbo.executor.op.modify;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.Transaction;

/** CHECK: a condition over the new row that must not be FALSE. */
public final class CheckConstraint extends RowConstraint {
  private final String name;
  private final String table;
  private final Expression violated;

  /** Creates a constraint. The condition refers to the frame row of the new image. */
  public CheckConstraint(String name, String table, Expression condition) {
    this.name = name;
    this.table = table;
    this.violated = Expressions.isFalse(condition);
  }

  @Override
  void check(Frame frame, Transaction transaction, boolean prefetched) {
    if (violated.isTrue(frame)) {
      throw new NelumboException(
          ErrorCode.CHECK_VIOLATION, "row violates check constraint " + name + " table=" + table);
    }
  }

  @Override
  RowConstraint copy() {
    return this;
  }
}
