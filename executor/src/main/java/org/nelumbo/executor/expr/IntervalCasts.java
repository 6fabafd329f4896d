package org.nelumbo.executor.expr;

import org.nelumbo.types.ColumnType;
import org.nelumbo.types.IntervalText;
import org.nelumbo.types.Kind;
import org.nelumbo.types.TimeUnit;

/** Casts to intervals, from text and from intervals of the same kind. */
public final class IntervalCasts {
  private IntervalCasts() {}

  /** Returns the cast, or null if there is none. */
  static Expression to(ColumnType target, Expression operand) {
    Kind kind = target.kind();
    if (operand.type().kind() == kind) {
      return operand;
    }
    return operand.type().kind().isCharacter()
        ? ofText(target, kind == Kind.INTERVAL_MONTHS ? TimeUnit.MONTH : TimeUnit.SECOND, operand)
        : null;
  }

  /**
   * Creates the interval denoted by a text.
   *
   * @param unit unit of a number that has none
   */
  public static Expression ofText(ColumnType type, TimeUnit unit, Expression text) {
    ColumnType target = type.withNullable(text.type().nullable());
    return FunctionSupport.fold(
        new LongFunctionCall(
            CastSupport.name(target),
            target,
            (f, a) -> {
              String value = (String) a[0].evalObject(f);
              return value == null ? f.nullLong() : IntervalText.parse(target.kind(), value, unit);
            },
            text));
  }
}
