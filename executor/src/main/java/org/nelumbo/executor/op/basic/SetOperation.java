package org.nelumbo.executor.op.basic;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.KeyTypeAlignment;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.op.spill.PairedPartitions;
import org.nelumbo.executor.op.spill.RowFile;
import org.nelumbo.executor.op.spill.RowPartitions;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * INTERSECT and EXCEPT, with or without ALL: counts the rows of the right side, then passes rows of
 * the left side.
 *
 * <p>If there is no memory for more values, rows of either side with new values are written to
 * temporary files, and compared after the others. That changes the order of the left rows.
 */
public final class SetOperation extends Operator {
  private static final int INITIAL = 16;

  private final Operator left;
  private final Operator right;
  private final Definition definition;
  private final NormalizedKeyCodec leftValues;
  private final NormalizedKeyCodec rightValues;
  private final KeyBuffer key = new KeyBuffer();
  private BytesHashTable values;
  private MemoryAccount account;

  /**
   * Number of right rows of each value that have not been paired with a left row; at most one
   * without ALL. For EXCEPT without ALL, the table also contains the values of left rows.
   */
  private int[] counts = new int[INITIAL];

  private PairedPartitions parts;

  /** True while rows are read from files, not from the inputs. */
  private boolean inFiles;

  private Frame frame;

  /**
   * The operation, the columns that it compares, and the slots that show them.
   *
   * @param all true if duplicates are kept
   * @param leftColumns expressions over the left row, with the types of the slots
   * @param rightColumns expressions over the right row, with the types of the slots
   */
  public record Definition(
      Operation operation,
      boolean all,
      Expression[] leftColumns,
      Expression[] rightColumns,
      int[] slots) {}

  /** The set operations. */
  public enum Operation {
    /** Passes the rows of the left side that the right side also contains. */
    INTERSECT,
    /** Passes the rows of the left side that the right side does not contain. */
    EXCEPT
  }

  public SetOperation(Operator left, Operator right, Definition definition) {
    this.left = left;
    this.right = right;
    this.definition = definition;
    this.leftValues =
        new NormalizedKeyCodec(
            KeyTypeAlignment.align(definition.leftColumns, definition.rightColumns));
    this.rightValues =
        new NormalizedKeyCodec(
            KeyTypeAlignment.align(definition.rightColumns, definition.leftColumns));
  }

  @Override
  public void open(Frame newFrame, Transaction transaction) {
    frame = newFrame;
    if (values == null) {
      values = new BytesHashTable(newFrame.limits().newAccount(definition.operation.name()));
      account = newFrame.limits().newAccount(definition.operation.name());
    }
    release();
    right.open(newFrame, transaction);
    while (right.next()) {
      addRight();
    }
    right.close();
    left.open(newFrame, transaction);
  }

  private void addRight() {
    frame.limits().work(1);
    rightValues.encode(frame, key);
    int number = findOrAdd();
    if (number == BytesHashTable.NO_MEMORY) {
      startWriting();
      parts.writeRight(key);
    } else {
      counts[number] = definition.all ? counts[number] + 1 : 1;
    }
  }

  private int findOrAdd() {
    if (isWriting() || values.size() == counts.length && !growCounts()) {
      return values.find(key.bytes, 0, key.length);
    }
    int number = values.tryFindOrAdd(key.bytes, 0, key.length);
    if (number != BytesHashTable.NO_MEMORY && values.lastAdded()) {
      counts[number] = 0;
    }
    return number;
  }

  private boolean growCounts() {
    // While the array grows, the old one takes memory, too.
    if (!account.tryResize(3L * counts.length * Integer.BYTES)) {
      return false;
    }
    counts = Arrays.copyOf(counts, 2 * counts.length);
    return true;
  }

  private boolean isWriting() {
    return parts != null && parts.isWriting();
  }

  private void startWriting() {
    if (isWriting()) {
      return;
    }
    int level = inFiles ? parts.level() + 1 : 0;
    if (level == RowPartitions.MOST_LEVELS) {
      throw new NelumboException(
          ErrorCode.OUT_OF_MEMORY,
          definition.operation.name() + " has no memory for its values; raise maxStatementMemory");
    }
    if (parts == null) {
      parts = new PairedPartitions(left.output(), right.output(), frame);
    }
    parts.startWriting(level);
  }

  @Override
  public boolean next() {
    do {
      while (nextLeft()) {
        frame.limits().work(1);
        leftValues.encode(frame, key);
        if (passes()) {
          for (int i = 0; i < definition.slots.length; i++) {
            frame.setSlot(definition.slots[i], definition.leftColumns[i]);
          }
          return true;
        }
      }
    } while (nextPart());
    return false;
  }

  private boolean nextLeft() {
    if (!inFiles) {
      return left.next();
    }
    RowFile file = parts.left();
    if (file == null || !file.next()) {
      return false;
    }
    file.show(frame);
    return true;
  }

  private boolean nextPart() {
    if (parts == null || !parts.next()) {
      return false;
    }
    inFiles = true;
    values.clear();
    RowFile file = parts.right();
    while (file != null && file.next()) {
      file.show(frame);
      addRight();
    }
    return true;
  }

  private boolean isExcept() {
    return definition.operation == Operation.EXCEPT;
  }

  /**
   * If it is not known yet whether the left row belongs to the result, spills the row and returns
   * false.
   */
  private boolean passes() {
    boolean adds = isExcept() && !definition.all;
    int number = adds ? findOrAdd() : values.find(key.bytes, 0, key.length);
    if (number < 0 && (adds || isWriting())) {
      startWriting();
      parts.writeLeft(key);
      return false;
    }
    if (adds) {
      return values.lastAdded();
    }
    boolean paired = number >= 0 && counts[number] > 0;
    if (paired) {
      counts[number]--;
    }
    return paired != isExcept();
  }

  @Override
  public void close() {
    right.close();
    left.close();
    if (values != null) {
      release();
    }
  }

  private void release() {
    values.release();
    account.close();
    counts = counts.length == INITIAL ? counts : new int[INITIAL];
    if (parts != null) {
      parts.close();
      parts = null;
    }
    inFiles = false;
  }

  @Override
  public Operator copy(Copier copier) {
    return new SetOperation(copier.copy(left), copier.copy(right), definition);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(definition.slots);
  }

  @Override
  public String explain() {
    return (definition.operation == Operation.EXCEPT ? "Except" : "Intersect")
        + (definition.all ? "(ALL)" : "");
  }

  @Override
  public List<Operator> children() {
    return List.of(left, right);
  }
}
