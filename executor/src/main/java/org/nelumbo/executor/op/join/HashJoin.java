package org.nelumbo.executor.op.join;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.KeyTypeAlignment;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * Hash join: keeps the right side's rows in a hash table by their keys, then looks up each left
 * row's. Without keys every pair is tried: a nested loop over the kept rows. NULL keys match
 * nothing.
 */
public final class HashJoin extends Operator {
  private static final int NONE = -1;

  private final Operator left;
  private final Operator right;
  private final Expression[] leftKeys;
  private final Expression[] rightKeys;
  private final JoinType joinType;
  private final Expression condition;
  private final FrameFields leftOutput;
  private final FrameFields rightOutput;
  private final NormalizedKeyCodec leftValues;
  private final NormalizedKeyCodec rightValues;
  private final KeyBuffer key = new KeyBuffer();
  private final BytesHashTable table = new BytesHashTable();
  private MaterializedRows rows;

  /** First and last row of each key, next row of each row, whether it has met a left row. */
  private int[] heads = new int[16];

  private int[] tails = new int[16];
  private int[] nexts = new int[16];
  private boolean[] matches = new boolean[16];

  private Frame frame;
  private boolean inLeft;
  private int candidate;
  private boolean matched;
  private boolean leftDone;
  private int unmatchedPosition;

  /**
   * A hash join.
   *
   * @param leftKeys over the left row; {@code leftKeys[i] = rightKeys[i]} has to hold for all i
   * @param condition what else has to hold, null for nothing
   */
  public HashJoin(
      Operator left,
      Operator right,
      Expression[] leftKeys,
      Expression[] rightKeys,
      JoinType joinType,
      Expression condition) {
    this.left = left;
    this.right = right;
    this.leftKeys = leftKeys;
    this.rightKeys = rightKeys;
    this.joinType = joinType;
    this.condition = condition;
    this.leftOutput = left.output();
    this.rightOutput = right.output();
    this.leftValues = new NormalizedKeyCodec(KeyTypeAlignment.align(leftKeys, rightKeys));
    this.rightValues = new NormalizedKeyCodec(KeyTypeAlignment.align(rightKeys, leftKeys));
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(rightOutput, newFrame.layout());
    }
    release();
    build(transaction);
    left.open(newFrame, transaction);
  }

  private void build(Transaction transaction) {
    right.open(frame, transaction);
    while (right.next()) {
      boolean hasNull = rightValues.encode(frame, key);
      if (!hasNull || joinType.keepsRight()) {
        add(hasNull);
      }
    }
    right.close();
    Arrays.fill(matches, 0, Math.min(matches.length, rows.size()), false);
  }

  private void add(boolean hasNull) {
    int row = rows.add(frame);
    if (row == nexts.length) {
      nexts = Arrays.copyOf(nexts, row * 2);
      matches = Arrays.copyOf(matches, row * 2);
    }
    nexts[row] = NONE;
    if (hasNull) {
      return;
    }
    int number = table.findOrAdd(key.bytes, 0, key.length);
    if (number == heads.length) {
      heads = Arrays.copyOf(heads, number * 2);
      tails = Arrays.copyOf(tails, number * 2);
    }
    if (table.lastAdded()) {
      heads[number] = row;
    } else {
      nexts[tails[number]] = row;
    }
    tails[number] = row;
  }

  @Override
  public boolean next() {
    while (!leftDone) {
      if (!inLeft && !startLeft()) {
        leftDone = true;
        break;
      }
      if (stepLeft()) {
        return true;
      }
    }
    return joinType.keepsRight() && nextUnmatched();
  }

  private boolean startLeft() {
    if (!left.next()) {
      return false;
    }
    boolean hasNull = leftValues.encode(frame, key);
    int number = hasNull ? NONE : table.find(key.bytes, 0, key.length);
    candidate = number == NONE ? NONE : heads[number];
    inLeft = true;
    matched = false;
    return true;
  }

  /** The next result for the present left row; false when it has no more. */
  private boolean stepLeft() {
    boolean found = findMatch();
    matched |= found;
    switch (joinType) {
      case SEMI, ANTI -> {
        inLeft = false;
        return found == (joinType == JoinType.SEMI);
      }
      default -> {
        if (found) {
          return true;
        }
        inLeft = false;
        if (matched || !joinType.keepsLeft()) {
          return false;
        }
        rightOutput.setAbsent(frame);
        return true;
      }
    }
  }

  private boolean findMatch() {
    while (candidate != NONE) {
      int row = candidate;
      candidate = nexts[row];
      rows.restore(row, frame);
      if (condition == null || condition.isTrue(frame)) {
        matches[row] = true;
        return true;
      }
    }
    return false;
  }

  private boolean nextUnmatched() {
    while (rows != null && unmatchedPosition < rows.size()) {
      int row = unmatchedPosition++;
      if (!matches[row]) {
        leftOutput.setAbsent(frame);
        rows.restore(row, frame);
        return true;
      }
    }
    return false;
  }

  private void release() {
    rows.clear();
    table.clear();
    inLeft = false;
    leftDone = false;
    unmatchedPosition = 0;
  }

  @Override
  public void close() {
    right.close();
    left.close();
    if (rows != null) {
      release();
    }
    leftDone = true;
  }

  @Override
  public Operator copy(Copier copier) {
    return new HashJoin(
        copier.copy(left), copier.copy(right), leftKeys, rightKeys, joinType, condition);
  }

  @Override
  public FrameFields output() {
    return joinType.showsRight() ? leftOutput.union(rightOutput) : leftOutput;
  }

  @Override
  public String explain() {
    StringBuilder text = new StringBuilder(leftKeys.length == 0 ? "NestedLoopJoin(" : "HashJoin(");
    text.append(joinType);
    for (int i = 0; i < leftKeys.length; i++) {
      text.append(", ").append(leftKeys[i]).append(" = ").append(rightKeys[i]);
    }
    return text.append(condition == null ? "" : ", " + condition).append(')').toString();
  }

  @Override
  public List<Operator> children() {
    return List.of(left, right);
  }
}
