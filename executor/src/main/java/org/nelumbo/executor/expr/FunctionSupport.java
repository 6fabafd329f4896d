package org.nelumbo.executor.expr;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Helper methods for function nodes: nullability, constant folding, text. */
final class FunctionSupport {
  private FunctionSupport() {}

  static ColumnType booleanOf(Expression... arguments) {
    return new ColumnType(Kind.BOOLEAN, 0, 0, anyNullable(arguments));
  }

  static boolean anyNullable(Expression... arguments) {
    for (Expression argument : arguments) {
      if (argument.type().nullable()) {
        return true;
      }
    }
    return false;
  }

  static boolean allConstant(Expression... arguments) {
    for (Expression argument : arguments) {
      if (!argument.isConstant()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Replaces a constant expression by a literal. If its evaluation fails, the expression is
   * returned unchanged, and fails when it is executed.
   */
  static Expression fold(Expression expression) {
    if (!expression.isConstant() || expression instanceof Literal) {
      return expression;
    }
    Frame frame = Frame.ofPlanning();
    try {
      if (!expression.type().isLong()) {
        return Literal.of(expression.type(), expression.evalObject(frame));
      }
      long value = expression.evalLong(frame);
      return frame.isNull
          ? Literal.nullOf(expression.type())
          : Literal.of(expression.type(), value);
    } catch (NelumboException failsAtExecution) {
      return expression;
    }
  }

  static String infix(Expression left, String operator, Expression right) {
    return "(" + left + " " + operator + " " + right + ")";
  }

  /**
   * Returns {@code name(a, b)}. A name with a placeholder ({@code CAST(% AS DATE)}) receives the
   * argument there.
   */
  static String call(String name, Expression... arguments) {
    if (name.indexOf('%') >= 0) {
      return name.replace("%", arguments[0].toString());
    }
    return Arrays.stream(arguments)
        .map(Expression::toString)
        .collect(Collectors.joining(", ", name + "(", ")"));
  }
}
