package org.nelumbo.executor.op.basic;

import java.util.Arrays;
import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.KeyTypeAlignment;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * INTERSECT and EXCEPT, with or without ALL: counts the right side's rows, then passes left ones.
 */
public final class SetOperation extends Operator {
  private final Operator left;
  private final Operator right;
  private final Definition definition;
  private final NormalizedKeyCodec leftValues;
  private final NormalizedKeyCodec rightValues;
  private final KeyBuffer key = new KeyBuffer();
  private BytesHashTable rightRows;
  private BytesHashTable passed;
  private int[] counts = new int[16];
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
    if (rightRows == null) {
      rightRows = new BytesHashTable(newFrame.limits().newAccount(definition.operation.name()));
      passed = new BytesHashTable(newFrame.limits().newAccount(definition.operation.name()));
    }
    release();
    Arrays.fill(counts, 0);
    right.open(newFrame, transaction);
    while (right.next()) {
      newFrame.limits().work(1);
      rightValues.encode(newFrame, key);
      int number = rightRows.findOrAdd(key.bytes, 0, key.length);
      if (number == counts.length) {
        counts = Arrays.copyOf(counts, number * 2);
      }
      counts[number]++;
    }
    right.close();
    left.open(newFrame, transaction);
  }

  @Override
  public boolean next() {
    while (left.next()) {
      frame.limits().work(1);
      leftValues.encode(frame, key);
      if (passes()) {
        for (int i = 0; i < definition.slots.length; i++) {
          frame.setSlot(definition.slots[i], definition.leftColumns[i]);
        }
        return true;
      }
    }
    return false;
  }

  private boolean isExcept() {
    return definition.operation == Operation.EXCEPT;
  }

  private boolean passes() {
    int number = rightRows.find(key.bytes, 0, key.length);
    if (!definition.all) {
      return number < 0 == isExcept() && passed.add(key.bytes, 0, key.length);
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
    if (rightRows != null) {
      release();
    }
  }

  private void release() {
    rightRows.release();
    passed.release();
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
