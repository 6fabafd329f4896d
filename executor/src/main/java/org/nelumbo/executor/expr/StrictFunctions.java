package org.nelumbo.executor.expr;

import java.util.List;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;

/**
 * Creates functions that are NULL if an argument is NULL. They receive the raw values as objects,
 * which makes garbage; used for functions whose own work outweighs that.
 */
final class StrictFunctions {
  private StrictFunctions() {}

  /** The body of a function; no value is null. */
  @FunctionalInterface
  interface Body {
    Object eval(StatementLimits limits, Object[] values);
  }

  /** Creates a function whose value is an object; the body may return null for NULL. */
  static Expression object(String name, ColumnType type, Body body, List<Expression> arguments) {
    Expression[] all = arguments.toArray(Expression[]::new);
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            name,
            type.nullable() ? type : NumericFunctions.nullable(type, all),
            (frame, operands) -> {
              Object[] values = values(frame, operands);
              return values == null ? null : body.eval(frame.limits(), values);
            },
            all));
  }

  /** Creates a function whose value is a number of a {@code long} type, a date or a truth value. */
  static Expression number(String name, ColumnType type, Body body, List<Expression> arguments) {
    Expression[] all = arguments.toArray(Expression[]::new);
    return FunctionSupport.fold(
        new LongFunctionCall(
            name,
            NumericFunctions.nullable(type, all),
            (frame, operands) -> {
              Object[] values = values(frame, operands);
              return values == null ? frame.nullLong() : (Long) body.eval(frame.limits(), values);
            },
            all));
  }

  private static Object[] values(Frame frame, Expression[] arguments) {
    Object[] values = new Object[arguments.length];
    for (int i = 0; i < values.length; i++) {
      Expression argument = arguments[i];
      if (argument.type().isLong()) {
        long raw = argument.evalLong(frame);
        if (frame.takeNull()) {
          return null;
        }
        values[i] = raw;
      } else {
        values[i] = argument.evalObject(frame);
        if (values[i] == null) {
          return null;
        }
      }
    }
    return values;
  }
}
