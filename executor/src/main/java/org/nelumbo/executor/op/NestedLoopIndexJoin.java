package org.nelumbo.executor.op;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.Transaction;

/**
 * For each row of the left side, opens the right side anew, whose keys and conditions refer to the
 * left row through the frame: index range scans, correlated subqueries. Point gets by a left row's
 * values are better off in {@link LookupJoin}.
 */
public final class NestedLoopIndexJoin extends Operator {
  private final Operator left;
  private final Operator right;
  private final JoinKind kind;
  private final Expression condition;
  private final FrameSet rightOutput;
  private Frame frame;
  private Transaction transaction;
  private boolean inRight;
  private boolean matched;

  /**
   * A join.
   *
   * @param kind INNER, LEFT, SEMI or ANTI
   * @param condition what else has to hold, null for nothing
   */
  public NestedLoopIndexJoin(Operator left, Operator right, JoinKind kind, Expression condition) {
    if (kind.keepsRight()) {
      throw new IllegalArgumentException("kind=" + kind);
    }
    this.left = left;
    this.right = right;
    this.kind = kind;
    this.condition = condition;
    this.rightOutput = right.output();
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    inRight = false;
    left.open(newFrame, newTransaction);
  }

  @Override
  public boolean next() {
    while (inRight || startLeft()) {
      boolean found = findRight();
      switch (kind) {
        case SEMI, ANTI -> {
          endLeft();
          if (found == (kind == JoinKind.SEMI)) {
            return true;
          }
        }
        default -> {
          if (found) {
            matched = true;
            return true;
          }
          endLeft();
          if (kind == JoinKind.LEFT && !matched) {
            rightOutput.setAbsent(frame);
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean startLeft() {
    if (!left.next()) {
      return false;
    }
    right.open(frame, transaction);
    inRight = true;
    matched = false;
    return true;
  }

  private boolean findRight() {
    while (right.next()) {
      if (condition == null || condition.isTrue(frame)) {
        return true;
      }
    }
    return false;
  }

  private void endLeft() {
    right.close();
    inRight = false;
  }

  @Override
  public void close() {
    right.close();
    left.close();
    inRight = false;
  }

  @Override
  public Operator copy(Copier copier) {
    return new NestedLoopIndexJoin(copier.copy(left), copier.copy(right), kind, condition);
  }

  @Override
  public FrameSet output() {
    return kind.showsRight() ? left.output().and(rightOutput) : left.output();
  }

  @Override
  public String explain() {
    return "NestedLoopIndexJoin(" + kind + (condition == null ? "" : ", " + condition) + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(left, right);
  }
}
