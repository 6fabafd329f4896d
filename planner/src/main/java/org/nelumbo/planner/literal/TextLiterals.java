package org.nelumbo.planner.literal;

import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlNode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Checks string literals that are values of other types: {@code '2024-01-31'} for a DATE. */
public final class TextLiterals {
  private TextLiterals() {}

  /**
   * Checks that a string literal is a valid value of a type; other nodes are accepted.
   *
   * @throws NelumboException BAD_CAST or BAD_DATETIME if it is not
   */
  public static void check(SqlNode node, ColumnType type) {
    if (!(node instanceof SqlCharStringLiteral text) || type.kind().isCharacter()) {
      return;
    }
    Object given = text.getValueAs(String.class);
    Expression value = Casts.assign(type, Expressions.literal(ColumnType.of(Kind.VARCHAR), given));
    Frame frame = Frame.ofPlanning();
    if (type.isLong()) {
      value.evalLong(frame);
    } else {
      value.evalObject(frame);
    }
  }
}
