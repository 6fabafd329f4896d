package org.nelumbo.executor.op.join;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.core.PrefetchableAccess;
import org.nelumbo.executor.op.core.PrefetchingSource;
import org.nelumbo.executor.readahead.PrefetchHints;
import org.nelumbo.executor.readahead.ReadAhead;
import org.nelumbo.executor.txn.Transaction;

/**
 * A nested loop join: opens the right side for each row of the left side. The keys and conditions
 * of the right side refer to the left row through the frame (index range scans, correlated
 * subqueries). Point gets by values of the left row are cheaper in {@link LookupJoin}. Where round
 * trips are expensive, left rows are taken in batches, for which the first reads of the right side
 * are done together ({@link PrefetchingSource}).
 */
public final class NestedLoopIndexJoin extends Operator {
  /** Number of right rows that are read ahead for each left row. */
  private static final int ALL_ROWS = 64;

  /** Number of right rows that are read ahead if the first match decides. */
  private static final int FEW_ROWS = 8;

  private final Operator left;
  private final Operator right;
  private final JoinType joinType;
  private final Expression condition;
  private final FrameFields rightOutput;
  private Frame frame;
  private Transaction transaction;
  private boolean inRight;
  private boolean matched;

  private PrefetchingSource prefetching;

  private PrefetchingSource keptPrefetching;

  /**
   * Creates a nested loop join.
   *
   * @param joinType INNER, LEFT, SEMI or ANTI
   * @param condition additional condition, or null
   */
  public NestedLoopIndexJoin(
      Operator left, Operator right, JoinType joinType, Expression condition) {
    if (joinType.keepsRight()) {
      throw new IllegalArgumentException("kind=" + joinType);
    }
    this.left = left;
    this.right = right;
    this.joinType = joinType;
    this.condition = condition;
    this.rightOutput = right.output();
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    inRight = false;
    left.open(newFrame, newTransaction);
    prefetching = newTransaction.readsAhead() ? openPrefetching() : null;
  }

  private PrefetchingSource openPrefetching() {
    PrefetchableAccess first = right.leadingAccess();
    if (first == null) {
      return null;
    }
    if (keptPrefetching == null || !keptPrefetching.belongsTo(transaction)) {
      boolean all = joinType.showsRight();
      keptPrefetching =
          new PrefetchingSource(
              left, all ? ALL_ROWS : FEW_ROWS, PrefetchingSource.FIRST_BATCH, frame, transaction);
    }
    keptPrefetching.open(first, frame);
    return keptPrefetching;
  }

  @Override
  public boolean next() {
    while (inRight || startLeft()) {
      frame.limits().work(1);
      boolean found = findRight();
      switch (joinType) {
        case SEMI, ANTI -> {
          endLeft();
          if (found == (joinType == JoinType.SEMI)) {
            return true;
          }
        }
        default -> {
          if (found) {
            matched = true;
            return true;
          }
          endLeft();
          if (joinType == JoinType.LEFT && !matched) {
            rightOutput.setAbsent(frame);
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean startLeft() {
    if (prefetching == null ? !left.next() : !prefetching.next()) {
      return false;
    }
    right.open(frame, transaction);
    inRight = true;
    matched = false;
    return true;
  }

  private boolean findRight() {
    while (right.next()) {
      frame.limits().work(1);
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
  public void collectHints(Frame present, PrefetchHints prefetchHints) {
    left.collectHints(present, prefetchHints);
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    if (!left.readsNothing()) {
      return left.leadingAccess();
    }
    PrefetchableAccess each = right.leadingAccess();
    return each == null
        ? null
        : (present, reader, ahead, most) -> collectEach(each, present, reader, ahead, most);
  }

  /** Adds the first access of the right side for each row of a left side that reads nothing. */
  private void collectEach(
      PrefetchableAccess each, Frame present, Transaction reader, ReadAhead ahead, int most) {
    left.open(present, reader);
    while (!ahead.isFull() && left.next()) {
      each.collectPrefetch(present, reader, ahead, most);
    }
    left.close();
  }

  @Override
  public void close() {
    right.close();
    left.close();
    if (prefetching != null) {
      prefetching.close();
    }
    inRight = false;
  }

  @Override
  public Operator copy(Copier copier) {
    return new NestedLoopIndexJoin(copier.copy(left), copier.copy(right), joinType, condition);
  }

  @Override
  public FrameFields output() {
    return joinType.showsRight() ? left.output().union(rightOutput) : left.output();
  }

  @Override
  public String explain() {
    return "NestedLoopIndexJoin(" + joinType + (condition == null ? "" : ", " + condition) + ")";
  }

  @Override
  public List<Operator> children() {
    return List.of(left, right);
  }
}
