package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/**
 * A parameterized literal in a plan that is shared by texts with different literals. The planner
 * treats it as a literal with an unknown value; the value is read from the parameters.
 */
final class SharedLiteral extends Parameter {
  private final FrameLayout layout;

  SharedLiteral(FrameLayout layout, ColumnType type, int index) {
    super(type, index);
    this.layout = layout;
  }

  /**
   * Returns the literal converted to another type. The conversion takes place once for each text,
   * not for each row.
   */
  SharedLiteral converted(ColumnType target, TextOverflow overflow) {
    return new SharedLiteral(layout, target, layout.addConversion(index(), target, overflow));
  }
}
