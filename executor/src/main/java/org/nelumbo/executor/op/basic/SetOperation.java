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
 * INTERSECT and EXCEPT, with or without ALL: counts the right side's rows, then passes left ones.
 *
 * <p>When there is no memory for more values, rows of either side with values that are not among
 * those kept are written to temporary files, and compared when the others are through. That changes
 * the order of the left rows.
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
   * Of each value, how many right rows have no left one yet; without ALL at most one. EXCEPT
   * without ALL has the left rows' values in the table, too.
   */
  private int[] counts = new int[INITIAL];

  /** Null as long as all values are in memory. */
  private PairedPartitions parts;

  /** Whether the rows come from files, not from the inputs. */
  private boolean inFiles;

  private Frame frame;

  /**
   * The operation, the columns it compares, and the slots that show them.
   *
   * @param all whether equal rows are told apart
   * @param leftColumns over the left row, of the slots' types
   * @param rightColumns over the right row, of the slots' types
   */
  public record Definition(
      Operation operation,
      boolean all,
      Expression[] leftColumns,
      Expression[] rightColumns,
      int[] slots) {}

  /** Which rows of the left side pass. */
  public enum Operation {
    /** The rows of the left side that the right side has as well. */
    INTERSECT,
    /** The rows of the left side that the right side does not have. */
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

  /** The number of the row's values, which are added while there is memory; or NO_MEMORY. */
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
    // While the array grows, the old one is there as well.
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

  /** Goes on to the next pair of files, whose right rows are counted then; false if none is. */
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

  /** Whether the left row is in the result; if nobody knows yet, it is set aside. */
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
