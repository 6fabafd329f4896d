package org.nelumbo.executor.op.modify;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates the errors of violated constraints, with the violating values. */
final class ConstraintViolations {
  private ConstraintViolations() {}

  /**
   * Creates the error for a duplicate of a primary key ({@code index} is null) or of a unique
   * index's value.
   */
  static NelumboException duplicate(TableStore table, IndexStore index, int row, Frame frame) {
    TableSchema schema = table.schema();
    boolean primary = index == null || index.schema() == null;
    int[] columns = primary ? schema.primaryKey() : index.schema().columns();
    StringBuilder text = new StringBuilder(128);
    text.append("duplicate key in table ").append(schema.name()).append(", ");
    if (primary) {
      text.append("primary key (");
    } else {
      text.append("unique index ").append(index.schema().name()).append(" (");
    }
    for (int i = 0; i < columns.length; i++) {
      text.append(i == 0 ? "" : ", ").append(schema.column(columns[i]).name());
    }
    text.append(") = (");
    for (int i = 0; i < columns.length; i++) {
      Expression value = Expressions.column(row, table.layout(), columns[i]);
      text.append(i == 0 ? "" : ", ").append(value(value, frame));
    }
    return new NelumboException(ErrorCode.UNIQUE_VIOLATION, text.append(')').toString());
  }

  /** Returns values as text, for a message. */
  static String values(Expression[] expressions, Frame frame) {
    StringBuilder text = new StringBuilder();
    for (Expression expression : expressions) {
      text.append(text.isEmpty() ? "" : ", ").append(value(expression, frame));
    }
    return text.toString();
  }

  private static String value(Expression expression, Frame frame) {
    Kind kind = expression.type().kind();
    if (kind.isBinary()) {
      return expression.isNull(frame) ? "NULL" : "X'...'";
    }
    ColumnType asText = ColumnType.of(Kind.VARCHAR);
    String shown = (String) Casts.cast(asText, expression).evalObject(frame);
    return shown == null ? "NULL" : kind.isCharacter() ? "'" + shown.stripTrailing() + "'" : shown;
  }
}
