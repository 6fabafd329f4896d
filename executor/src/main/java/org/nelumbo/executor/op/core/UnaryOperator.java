package org.nelumbo.executor.op.core;

import java.util.List;

/** An operator with one child, whose rows it passes unchanged unless a subclass overrides this. */
public abstract class UnaryOperator extends Operator {
  protected final Operator child;

  protected UnaryOperator(Operator child) {
    this.child = child;
  }

  @Override
  public PrefetchableAccess leadingAccess() {
    return child.leadingAccess();
  }

  @Override
  public void close() {
    child.close();
  }

  @Override
  public FrameFields output() {
    return child.output();
  }

  @Override
  public final List<Operator> children() {
    return List.of(child);
  }
}
