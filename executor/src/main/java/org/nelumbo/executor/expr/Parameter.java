package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;
import org.nelumbo.types.ParameterSet;

/** A parameter marker, which is always nullable, or a parameterized literal. */
sealed class Parameter extends Expression permits SharedLiteral {
  private final int index;

  Parameter(ColumnType type, int index) {
    super(type);
    this.index = index;
  }

  int index() {
    return index;
  }

  @Override
  public long evalLong(Frame frame) {
    ParameterSet parameters = frame.parameters();
    if (parameters.isNull(index)) {
      frame.isNull = true;
    }
    return parameters.longAt(index);
  }

  @Override
  public Object evalObject(Frame frame) {
    return frame.parameters().objectAt(index);
  }

  @Override
  public boolean isNull(Frame frame) {
    return frame.parameters().isNull(index);
  }

  @Override
  public String toString() {
    return "?" + (index + 1);
  }
}
