package org.nelumbo.executor.op.join;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.KeyTypeAlignment;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.spill.PairedPartitions;
import org.nelumbo.executor.op.spill.RowFile;
import org.nelumbo.executor.op.spill.RowPartitions;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * A hash join: stores the right side's rows in a hash table by their keys, then looks up each left
 * row. Without keys every pair is tried: a nested loop over the stored rows. NULL keys match
 * nothing.
 *
 * <p>If there is no memory for more rows of the right side, both sides are partitioned into
 * temporary files by their keys, and joined file by file. That changes the order of the left rows;
 * if this order matters, the statement fails with 53200 instead. Without keys the right side is
 * written to one file, which is read again for each left row.
 */
public final class HashJoin extends Operator {
  private static final int NONE = -1;
  private static final int KEPT_ROWS = 1 << 12;

  /** Memory of a row in the arrays that link rows, during growth, in bytes. */
  private static final long LINK_BYTES = 20;

  private final Operator left;
  private final Operator right;
  private final Expression[] leftKeys;
  private final Expression[] rightKeys;
  private final JoinType joinType;
  private final Expression condition;
  private final RowOrder rowOrder;
  private final FrameFields leftOutput;
  private final FrameFields rightOutput;
  private final NormalizedKeyCodec leftValues;
  private final NormalizedKeyCodec rightValues;
  private final KeyBuffer key = new KeyBuffer();
  private BytesHashTable table;
  private MaterializedRows rows;
  private MemoryAccount account;

  private int reservedRows;

  /** Null while the right side is in memory. */
  private PairedPartitions parts;

  /** All right rows of a join without keys, if they do not fit into memory; null otherwise. */
  private RereadRows reread;

  private boolean rereadsUnmatched;

  private enum Added {
    DONE,
    NO_MEMORY
  }

  /** The order that the rows of the result must have. */
  public enum RowOrder {
    OF_LEFT_SIDE,
    ANY
  }

  /**
   * First and last row of each key, next row of each row, and whether a row has matched a left row.
   */
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
   * Creates a hash join.
   *
   * @param leftKeys expressions over the left row; {@code leftKeys[i] = rightKeys[i]} must hold for
   *     all i
   * @param condition additional condition, or null
   * @param rowOrder whether the result must be in the order of the left side
   */
  public HashJoin(
      Operator left,
      Operator right,
      Expression[] leftKeys,
      Expression[] rightKeys,
      JoinType joinType,
      Expression condition,
      RowOrder rowOrder) {
    this.left = left;
    this.right = right;
    this.leftKeys = leftKeys;
    this.rightKeys = rightKeys;
    this.joinType = joinType;
    this.condition = condition;
    this.rowOrder = rowOrder;
    this.leftOutput = left.output();
    this.rightOutput = right.output();
    this.leftValues = new NormalizedKeyCodec(KeyTypeAlignment.align(leftKeys, rightKeys));
    this.rightValues = new NormalizedKeyCodec(KeyTypeAlignment.align(rightKeys, leftKeys));
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (rows == null) {
      rows = new MaterializedRows(rightOutput, newFrame, "a join");
      table = new BytesHashTable(newFrame.limits().newAccount("a join"));
      account = newFrame.limits().newAccount("a join");
    }
    release();
    build(transaction);
    left.open(newFrame, transaction);
    if (parts != null) {
      while (left.next()) {
        boolean _ = leftValues.encode(frame, key);
        parts.writeLeft(key);
      }
      left.close();
      leftDone = !nextPart();
    }
  }

  private void build(Transaction transaction) {
    right.open(frame, transaction);
    while (right.next()) {
      addRight(0);
    }
    right.close();
    forgetMatches();
    if (reread != null && joinType.keepsRight()) {
      reread.startReading(account);
    } else if (reread != null) {
      reread.startReading();
    }
  }

  private void forgetMatches() {
    Arrays.fill(matches, 0, Math.min(matches.length, rows.size()), false);
  }

  /**
   * Stores the frame's right row, in memory or in a file.
   *
   * @param level number of times that the row has been partitioned
   */
  private void addRight(int level) {
    frame.limits().work(1);
    boolean hasNull = rightValues.encode(frame, key);
    if (hasNull && !joinType.keepsRight()) {
      return;
    }
    boolean inMemory = reread == null && (parts == null || !parts.isWriting());
    if (inMemory && add(hasNull) == Added.DONE) {
      return;
    }
    if (inMemory) {
      boolean maySpill = rightKeys.length == 0 || rowOrder == RowOrder.ANY;
      if (!maySpill || level == RowPartitions.MOST_LEVELS) {
        throw account.exhausted(rows.heapBytes());
      }
      setAsideRows(level);
    }
    writeRight();
  }

  private void writeRight() {
    if (reread != null) {
      reread.write(frame);
    } else {
      boolean _ = rightValues.encode(frame, key);
      parts.writeRight(key);
    }
  }

  /** The frame shows the same row afterwards. */
  private void setAsideRows(int level) {
    MaterializedRows current = MaterializedRows.uncounted(rightOutput, frame);
    current.add(frame);
    if (rightKeys.length == 0) {
      reread = new RereadRows(rightOutput, frame);
    } else {
      startParts(level);
    }
    for (int i = 0; i < rows.size(); i++) {
      rows.restore(i, frame);
      writeRight();
    }
    if (reread == null) {
      clearRows();
    } else {
      releaseRows();
    }
    current.restore(0, frame);
    current.release();
  }

  private void startParts(int level) {
    if (parts == null) {
      parts = new PairedPartitions(leftOutput, rightOutput, frame);
    }
    parts.startWriting(level);
  }

  private boolean nextPart() {
    while (parts != null && parts.next()) {
      clearRows();
      RowFile rightFile = parts.right();
      while (rightFile != null && rightFile.next()) {
        rightFile.show(frame);
        addRight(parts.level() + 1);
      }
      if (parts.isWriting()) {
        RowFile leftFile = parts.left();
        while (leftFile != null && leftFile.next()) {
          leftFile.show(frame);
          boolean _ = leftValues.encode(frame, key);
          parts.writeLeft(key);
        }
        continue;
      }
      forgetMatches();
      inLeft = false;
      leftDone = false;
      unmatchedPosition = 0;
      return true;
    }
    return false;
  }

  private boolean reserve(int count) {
    if (count <= reservedRows) {
      return true;
    }
    int wanted = Math.max(16, 2 * reservedRows);
    if (!account.tryResize(LINK_BYTES * wanted)) {
      return false;
    }
    reservedRows = wanted;
    return true;
  }

  private Added add(boolean hasNull) {
    if (!reserve(rows.size() + 1)) {
      return Added.NO_MEMORY;
    }
    int number = NONE;
    if (!hasNull) {
      number = table.tryFindOrAdd(key.bytes, 0, key.length);
      if (number == BytesHashTable.NO_MEMORY) {
        return Added.NO_MEMORY;
      }
    }
    boolean isNewKey = !hasNull && table.lastAdded();
    if (!rows.tryAdd(frame)) {
      return Added.NO_MEMORY; // a new key is discarded with the table, or the statement fails
    }
    int row = rows.size() - 1;
    if (row == nexts.length) {
      matches = Arrays.copyOf(matches, row * 2);
      nexts = Arrays.copyOf(nexts, row * 2);
    }
    nexts[row] = NONE;
    if (!hasNull) {
      link(number, row, isNewKey);
    }
    return Added.DONE;
  }

  private void link(int number, int row, boolean isNewKey) {
    if (number == heads.length) {
      tails = Arrays.copyOf(tails, number * 2);
      heads = Arrays.copyOf(heads, number * 2);
    }
    if (isNewKey) {
      heads[number] = row;
    } else {
      nexts[tails[number]] = row;
    }
    tails[number] = row;
  }

  @Override
  public boolean next() {
    do {
      while (!leftDone) {
        frame.limits().work(1);
        if (!inLeft && !startLeft()) {
          leftDone = true;
          break;
        }
        if (stepLeft()) {
          return true;
        }
      }
      if (joinType.keepsRight() && nextUnmatched()) {
        return true;
      }
    } while (nextPart());
    return false;
  }

  private boolean nextLeft() {
    if (parts == null) {
      return left.next();
    }
    RowFile leftFile = parts.left();
    if (leftFile == null || !leftFile.next()) {
      return false;
    }
    leftFile.show(frame);
    return true;
  }

  private boolean startLeft() {
    if (!nextLeft()) {
      return false;
    }
    boolean hasNull = leftValues.encode(frame, key);
    int number = hasNull ? NONE : table.find(key.bytes, 0, key.length);
    candidate = number == NONE ? NONE : heads[number];
    if (reread != null) {
      reread.restart();
    }
    inLeft = true;
    matched = false;
    return true;
  }

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
      frame.limits().work(1);
      int row = candidate;
      candidate = nexts[row];
      rows.restore(row, frame);
      if (condition == null || condition.isTrue(frame)) {
        matches[row] = true;
        return true;
      }
    }
    while (reread != null && reread.next(frame)) {
      if (condition == null || condition.isTrue(frame)) {
        reread.noteMatch();
        return true;
      }
    }
    return false;
  }

  private boolean nextUnmatched() {
    while (rows != null && unmatchedPosition < rows.size()) {
      frame.limits().work(1);
      int row = unmatchedPosition++;
      if (!matches[row]) {
        leftOutput.setAbsent(frame);
        rows.restore(row, frame);
        return true;
      }
    }
    return reread != null && nextUnmatchedInFile();
  }

  private boolean nextUnmatchedInFile() {
    if (!rereadsUnmatched) {
      rereadsUnmatched = true;
      reread.restart();
    }
    while (reread.next(frame)) {
      if (!reread.isMatched()) {
        leftOutput.setAbsent(frame);
        return true;
      }
    }
    return false;
  }

  private void clearRows() {
    rows.clear();
    table.clear();
  }

  private void releaseRows() {
    rows.release();
    table.release();
    if (nexts.length > KEPT_ROWS) {
      heads = new int[16];
      tails = new int[16];
      nexts = new int[16];
      matches = new boolean[16];
    }
    account.close();
    reservedRows = 0;
  }

  private void release() {
    releaseRows();
    if (reread != null) {
      reread.close();
      reread = null;
    }
    rereadsUnmatched = false;
    if (parts != null) {
      parts.close();
      parts = null;
    }
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
        copier.copy(left), copier.copy(right), leftKeys, rightKeys, joinType, condition, rowOrder);
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
