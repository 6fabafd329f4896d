package org.nelumbo.executor.op.basic;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.BytesHashTable;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.MaterializedRows;
import org.nelumbo.executor.op.core.NormalizedKeyCodec;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.txn.Transaction;

/**
 * WITH RECURSIVE: returns the rows of a first query, then the rows of a step that reads the rows of
 * the previous step ({@link WorkingTableScan}), until a step returns no rows. Rows are passed on
 * immediately. The rows of one step, and without ALL the rows of all steps, must fit into the
 * statement's memory (53200).
 */
public final class RecursiveUnion extends Operator {
  private static final String OWNER = "WITH RECURSIVE";

  private final Operator first;
  private final Operator step;
  private final Definition definition;
  private final NormalizedKeyCodec keys;
  private final KeyBuffer key = new KeyBuffer();
  private Frame frame;
  private Transaction transaction;
  private MaterializedRows working;
  private MaterializedRows next;
  private BytesHashTable seen;
  private Operator current;

  /**
   * The columns of the rows.
   *
   * @param firstColumns expression of the first query for each slot, with the slot's type
   * @param stepColumns expression of the step for each slot, with the slot's type
   * @param slots slots that show the rows
   * @param columns these slots as expressions; null for UNION ALL
   * @param table slot through which the step reads the rows of the previous step
   */
  public record Definition(
      Expression[] firstColumns,
      Expression[] stepColumns,
      int[] slots,
      Expression[] columns,
      int table) {}

  /** Creates the union of a first query and a repeated step. */
  public RecursiveUnion(Operator first, Operator step, Definition definition) {
    this.first = first;
    this.step = step;
    this.definition = definition;
    this.keys = definition.columns == null ? null : new NormalizedKeyCodec(definition.columns);
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    close();
    frame = newFrame;
    transaction = newTransaction;
    if (working == null) {
      working = new MaterializedRows(output(), newFrame, OWNER);
      next = new MaterializedRows(output(), newFrame, OWNER);
      seen = keys == null ? null : new BytesHashTable(newFrame.limits().newAccount(OWNER));
    }
    current = first;
    first.open(newFrame, newTransaction);
  }

  @Override
  public boolean next() {
    while (current != null) {
      while (current.next()) {
        frame.limits().work(1);
        show(current == first ? definition.firstColumns : definition.stepColumns);
        if (isNew()) {
          next.add(frame);
          return true;
        }
      }
      current.close();
      current = null;
      if (next.size() > 0) {
        beginStep();
      }
    }
    return false;
  }

  private void show(Expression[] values) {
    for (int i = 0; i < values.length; i++) {
      frame.setSlot(definition.slots[i], values[i]);
    }
  }

  private boolean isNew() {
    if (keys == null) {
      return true;
    }
    keys.encode(frame, key);
    seen.findOrAdd(key.bytes, 0, key.length);
    return seen.lastAdded();
  }

  private void beginStep() {
    MaterializedRows rows = next;
    next = working;
    next.clear();
    working = rows;
    frame.setSlotObject(definition.table, working);
    current = step;
    step.open(frame, transaction);
  }

  @Override
  public void close() {
    first.close();
    step.close();
    current = null;
    if (working != null) {
      working.release();
      next.release();
      if (seen != null) {
        seen.release();
      }
    }
  }

  @Override
  public Operator copy(Copier copier) {
    return new RecursiveUnion(copier.copy(first), copier.copy(step), definition);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(definition.slots);
  }

  @Override
  public String explain() {
    return keys == null ? "RecursiveUnion(ALL)" : "RecursiveUnion";
  }

  @Override
  public List<Operator> children() {
    return List.of(first, step);
  }
}
