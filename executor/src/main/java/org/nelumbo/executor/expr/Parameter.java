package org.nelumbo.executor.expr;

import org.nelumbo.executor.row.ColumnType;

/** A parameter marker; always nullable. */
final class Parameter extends Expression {
  private final int index;

  Parameter(ColumnType type, int index) {
    super(type.orNull());
    this.index = index;
  }

  @Override
  public long evalLong(Frame frame) {
    if (frame.isParameterNull(index)) {
      frame.isNull = true;
    }
    return frame.parameterLong(index);
  }

  @Override
  public Object evalObject(Frame frame) {
    return frame.parameterObject(index);
  }

  @Override
  public boolean isNull(Frame frame) {
    return frame.isParameterNull(index);
  }

  @Override
  public String toString() {
    return "?" + (index + 1);
  }
}
