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

  /** Translates a date or time plus or minus an interval, in either order. */
  static Expression shift(ArithmeticOp op, Expression left, Expression right) {
    boolean intervalFirst = RexTranslator.isInterval(left.type().kind());
    return intervalFirst
        ? DatetimeFunctions.plus(right, left, false)
        : DatetimeFunctions.plus(left, right, op == ArithmeticOp.MINUS);
  }

  /**
   * Translates a cast of a string, or of a number of units, to an interval, as in {@code n *
   * INTERVAL '1' DAY}.
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

  /** Translates a cast of an interval to a number of units. */
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

  /** Returns the time unit of a flag operand. */
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
