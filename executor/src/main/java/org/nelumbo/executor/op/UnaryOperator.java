package org.nelumbo.executor.op;

import java.util.List;

/** An operator with one child, whose rows it shows as they are unless it says otherwise. */
public abstract class UnaryOperator extends Operator {
  protected final Operator child;

  protected UnaryOperator(Operator child) {
    this.child = child;
  }

  @Override
  public Foreseen foreseen() {
    return child.foreseen();
  }

  @Override
  public void close() {
    child.close();
  }

  @Override
  public FrameSet output() {
    return child.output();
  }

  @Override
  public final List<Operator> children() {
    return List.of(child);
  }
}
