package org.nelumbo.executor.op;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.txn.Anticipation;
import org.nelumbo.executor.txn.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * For each row of the left side, opens the right side anew, whose keys and conditions refer to the
 * left row through the frame: index range scans, correlated subqueries. Point gets by a left row's
 * values are better off in {@link LookupJoin}. Where round trips are dear, left rows are taken in
 * batches, for which the right side's first reads are done together ({@link LeftRows}).
 */
public final class NestedLoopIndexJoin extends Operator {
  /** Rows of the right side that are read ahead for each row of the left side. */
  private static final int ALL_ROWS = 64;

  /** The same where the first that matches decides. */
  private static final int FEW_ROWS = 8;

  private final Operator left;
  private final Operator right;
  private final JoinKind kind;
  private final Expression condition;
  private final FrameSet rightOutput;
  private Frame frame;
  private Transaction transaction;
  private boolean inRight;
  private boolean matched;

  /** Null unless the left rows are taken in batches, in this run. */
  private LeftRows leftRows;

  private LeftRows keptLeftRows;

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
    leftRows = newTransaction.readsAhead() ? openLeftRows() : null;
  }

  /** Null if it is not known what the right side begins with. */
  private LeftRows openLeftRows() {
    Foreseen first = right.foreseen();
    if (first == null) {
      return null;
    }
    if (keptLeftRows == null || !keptLeftRows.isOf(transaction)) {
      boolean all = kind.showsRight();
      keptLeftRows =
          new LeftRows(left, all ? ALL_ROWS : FEW_ROWS, LeftRows.FIRST_BATCH, frame, transaction);
    }
    keptLeftRows.open(first, frame);
    return keptLeftRows;
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
    if (leftRows == null ? !left.next() : !leftRows.next()) {
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
  public void anticipate(Frame present, Anticipation anticipation) {
    left.anticipate(present, anticipation);
  }

  @Override
  public Foreseen foreseen() {
    if (!left.readsNothing()) {
      return left.foreseen();
    }
    Foreseen each = right.foreseen();
    return each == null ? null : (present, ahead, most) -> foresee(each, present, ahead, most);
  }

  /** What the right side begins with for each of some values. */
  private void foresee(Foreseen each, Frame present, ReadAhead ahead, int most) {
    left.open(present, ahead.transaction());
    while (!ahead.isFull() && left.next()) {
      each.foresee(present, ahead, most);
    }
    left.close();
  }

  @Override
  public void close() {
    right.close();
    left.close();
    if (leftRows != null) {
      leftRows.close();
    }
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
