package org.nelumbo.planner.rex;

import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.ArithmeticOp;
import org.nelumbo.executor.expr.Casts;
import org.nelumbo.executor.expr.DatetimeFunctions;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.IntervalCasts;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.TimeUnit;

/** Translates functions of dates, times and intervals. */
final class TemporalTranslator {
  private TemporalTranslator() {}

  /** A date or time plus or minus an interval, in either order. */
  static Expression shift(ArithmeticOp op, Expression left, Expression right) {
    boolean intervalFirst = RexTranslator.isInterval(left.type().kind());
    return intervalFirst
        ? DatetimeFunctions.plus(right, left, false)
        : DatetimeFunctions.plus(left, right, op == ArithmeticOp.MINUS);
  }

  /**
   * An interval of a text, or of a number of units, as {@code n * INTERVAL '1' DAY} and casts have
   * it.
   */
  static Expression toInterval(RexCall call, Expression operand) {
    ColumnType target = RexTranslator.type(call);
    SqlIntervalQualifier qualifier = call.getType().getIntervalQualifier();
    if (operand.type().kind().isInteger()) {
      return DatetimeFunctions.interval(unit(qualifier.getUnit().name()), operand);
    } else if (operand.type().kind().isCharacter() && qualifier.isSingleDatetimeField()) {
      return IntervalCasts.ofText(target, unit(qualifier.getUnit().name()), operand);
    }
    return Casts.cast(target, operand);
  }

  /** How many units an interval has, as casts to numbers have it. */
  static Expression ofInterval(RexCall call, Expression interval) {
    RelDataType from = call.getOperands().getFirst().getType();
    ColumnType target = RexTranslator.type(call).withNullable(interval.type().nullable());
    SqlIntervalQualifier qualifier = from.getIntervalQualifier();
    if (qualifier == null || !qualifier.isSingleDatetimeField()) {
      throw new NelumboException(
          ErrorCode.TYPE_MISMATCH,
          "cannot cast "
              + from
              + " to "
              + target.sqlName()
              + "; only an interval of one unit, such as INTERVAL DAY, can be cast to a number");
    }
    return DatetimeFunctions.count(target, unit(qualifier.getUnit().name()), interval);
  }

  /** The unit a function was given as a flag. */
  static TimeUnit unit(RexNode flag) {
    Object value = ((RexLiteral) flag).getValue();
    if (value instanceof TimeUnitRange range) {
      return unit(range.name());
    }
    return unit(value.toString());
  }

  private static TimeUnit unit(String name) {
    try {
      return TimeUnit.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new NelumboException(
          ErrorCode.UNSUPPORTED, "time unit " + name + " is not supported", e);
    }
  }
}
