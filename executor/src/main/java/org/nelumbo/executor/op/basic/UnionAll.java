package org.nelumbo.executor.op.basic;

import java.util.List;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.op.core.Operator;
import org.nelumbo.executor.txn.Transaction;

/** UNION ALL: returns the rows of all children, one child after the other, in slots. */
public final class UnionAll extends Operator {
  private final List<Operator> inputs;
  private final Expression[][] columns;
  private final int[] slots;
  private Frame frame;
  private Transaction transaction;
  private int current;

  /**
   * Creates a concatenation of the rows of several inputs.
   *
   * @param columns for each child, an expression for each slot, with the slot's type
   */
  public UnionAll(List<Operator> inputs, Expression[][] columns, int[] slots) {
    this.inputs = List.copyOf(inputs);
    this.columns = columns;
    this.slots = slots;
  }

  @Override
  public void open(Frame newFrame, Transaction newTransaction) {
    frame = newFrame;
    transaction = newTransaction;
    current = 0;
    inputs.getFirst().open(newFrame, newTransaction);
  }

  @Override
  public boolean next() {
    while (current < inputs.size()) {
      if (inputs.get(current).next()) {
        Expression[] values = columns[current];
        for (int i = 0; i < slots.length; i++) {
          frame.setSlot(slots[i], values[i]);
        }
        return true;
      }
      inputs.get(current++).close();
      frame.limits().work(1);
      if (current < inputs.size()) {
        inputs.get(current).open(frame, transaction);
      }
    }
    return false;
  }

  @Override
  public void close() {
    current = inputs.size();
    inputs.forEach(Operator::close);
  }

  @Override
  public Operator copy(Copier copier) {
    return new UnionAll(inputs.stream().map(copier::copy).toList(), columns, slots);
  }

  @Override
  public FrameFields output() {
    return FrameFields.ofSlots(slots);
  }

  @Override
  public String explain() {
    return "Union(ALL)";
  }

  @Override
  public List<Operator> children() {
    return inputs;
  }
}
