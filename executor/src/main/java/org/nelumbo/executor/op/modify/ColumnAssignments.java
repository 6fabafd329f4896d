package org.nelumbo.executor.op.modify;

import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.types.ColumnType;

/**
 * The columns that a statement sets in a row, and the expressions for them, cast for storage.
 * Immutable.
 */
final class ColumnAssignments {
  private final int[] columns;
  private final Expression[] values;

  ColumnAssignments(RowLayout layout, int[] columns, Expression[] values) {
    this.columns = columns;
    this.values = new Expression[values.length];
    for (int i = 0; i < columns.length; i++) {
      ColumnType type = layout.type(columns[i]);
      this.values[i] = Casts.assign(type, values[i]);
    }
  }

  /** Evaluates the expressions and sets the columns. */
  void apply(Frame frame, RowWriter writer) {
    for (int i = 0; i < columns.length; i++) {
      Expression value = values[i];
      if (value.type().isLong()) {
        long raw = value.evalLong(frame);
        if (frame.takeNull()) {
          writer.setNull(columns[i]);
        } else {
          writer.setLong(columns[i], raw);
        }
      } else {
        writer.setObject(columns[i], value.evalObject(frame));
      }
    }
  }

  String explain(RowLayout layout) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < columns.length; i++) {
      text.append(text.isEmpty() ? "" : ", ").append(layout.schema().column(columns[i]).name());
      text.append(" = ").append(values[i]);
    }
    return text.toString();
  }
}
