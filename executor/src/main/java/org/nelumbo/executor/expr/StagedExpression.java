package org.nelumbo.executor.expr;

import java.util.List;

/**
 * An expression that is evaluated in stages, each of which reads the value of the previous one from
 * a slot of the frame. A sum of thousands of terms, each of which adds to the previous sum,
 * therefore takes no more of the stack than a single stage.
 */
final class StagedExpression extends Expression {
  private final Expression[] stages;
  private final int[] slots;
  private final Expression last;

  /**
   * Creates a staged expression.
   *
   * @param stages all stages except the last one
   * @param slots slot for the value of each of them
   */
  StagedExpression(List<Expression> stages, int[] slots, Expression last) {
    super(last.type());
    this.stages = stages.toArray(Expression[]::new);
    this.slots = slots.clone();
    this.last = last;
  }

  private void prepare(Frame frame) {
    for (int i = 0; i < stages.length; i++) {
      frame.setSlot(slots[i], stages[i]);
    }
  }

  @Override
  public long evalLong(Frame frame) {
    prepare(frame);
    return last.evalLong(frame);
  }

  @Override
  public Object evalObject(Frame frame) {
    prepare(frame);
    return last.evalObject(frame);
  }

  @Override
  public String toString() {
    return "..." + last;
  }
}
