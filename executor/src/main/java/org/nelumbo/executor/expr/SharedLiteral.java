package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;

/**
 * The place of a literal in a plan that texts with other literals share. To the planner it is a
 * literal of which the value is not known yet; the value is read where parameters are.
 */
final class SharedLiteral extends Parameter {
  private final FrameLayout layout;

  SharedLiteral(FrameLayout layout, ColumnType type, int index) {
    super(type, index);
    this.layout = layout;
  }

  /** The literal in another type: converted once for each text, not for each row. */
  SharedLiteral converted(ColumnType target, TextOverflow overflow) {
    return new SharedLiteral(layout, target, layout.addConversion(index(), target, overflow));
  }
}
