package org.nelumbo.executor.op;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;

/** Messages about rows that violate something. */
final class Violations {
  private Violations() {}

  /** A duplicate of a primary key ({@code index} null) or of a unique index's value. */
  static NelumboException duplicate(TableStore table, IndexStore index, int row, Frame frame) {
    TableSchema schema = table.schema();
    boolean primary = index == null || index.schema() == null;
    int[] columns = primary ? schema.primaryKey() : index.schema().columns();
    Expression[] values = new Expression[columns.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Expressions.column(row, table.layout(), columns[i]);
    }
    String names =
        IntStream.of(columns)
            .mapToObj(column -> schema.column(column).name())
            .collect(Collectors.joining(", "));
    return new NelumboException(
        ErrorCode.UNIQUE_VIOLATION,
        "duplicate key in table "
            + schema.name()
            + ", "
            + (primary ? "primary key" : "unique index " + index.schema().name())
            + " ("
            + names
            + ") = ("
            + values(values, frame)
            + ")");
  }

  /** Values as text, for a message. */
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
