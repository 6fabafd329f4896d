package org.nelumbo.planner.function;

import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.IntervalTexts;
import org.nelumbo.planner.type.SqlErrors;

/** Rewrites interval functions of PostgreSQL that have an equivalent. */
final class ReplacedDateFunctions {
  private static final List<String> ARGUMENTS =
      List.of("YEARS", "MONTHS", "WEEKS", "DAYS", "HOURS", "MINS", "SECS");

  private static final List<TimeUnit> UNITS =
      List.of(
          TimeUnit.YEAR,
          TimeUnit.MONTH,
          TimeUnit.WEEK,
          TimeUnit.DAY,
          TimeUnit.HOUR,
          TimeUnit.MINUTE,
          TimeUnit.SECOND);

  /** Number of {@link #UNITS} that count months. */
  private static final int OF_MONTHS = 2;

  private static final int DAYS_OF_WEEK = 7;
  private static final int ARGUMENTS_OF_BIN = 3;
  private static final String NOT_BOTH = "an interval has months, or days and a time, not both";

  private ReplacedDateFunctions() {}

  /** Rewrites {@code MAKE_INTERVAL(days => 10)}, with named or positional arguments. */
  static SqlNode makeInterval(SqlCall call) {
    SqlNode months = null;
    SqlNode times = null;
    for (int i = 0; i < call.operandCount(); i++) {
      SqlNode value = call.operand(i);
      int index = i;
      if (value.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        String name = ((SqlIdentifier) ((SqlCall) value).operand(1)).getSimple();
        index = ARGUMENTS.indexOf(name.toUpperCase(Locale.ROOT));
        value = ((SqlCall) value).operand(0);
      }
      if (index < 0 || index >= ARGUMENTS.size()) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "the arguments of MAKE_INTERVAL are " + String.join(", ", ARGUMENTS),
            call.getParserPosition());
      }
      boolean isNothing =
          value instanceof SqlNumericLiteral number && number.bigDecimalValue().signum() == 0;
      if (isNothing) {
        continue;
      }
      SqlNode part = times(call, UNITS.get(index), value);
      if (index < OF_MONTHS) {
        months = sum(months, part);
      } else {
        times = sum(times, part);
      }
    }
    if (months != null && times != null) {
      throw unsupported(call, NOT_BOTH + "; write two intervals");
    } else if (months != null) {
      return months;
    }
    return times == null ? literal(call, 0, TimeUnit.DAY) : times;
  }

  private static SqlNode sum(SqlNode left, SqlNode right) {
    return left == null
        ? right
        : SqlStdOperatorTable.PLUS.createCall(right.getParserPosition(), left, right);
  }

  private static SqlNode times(SqlCall call, TimeUnit unit, SqlNode count) {
    SqlNode one =
        unit == TimeUnit.WEEK ? literal(call, DAYS_OF_WEEK, TimeUnit.DAY) : literal(call, 1, unit);
    return SqlStdOperatorTable.MULTIPLY.createCall(call.getParserPosition(), one, count);
  }

  private static SqlNode literal(SqlCall call, int count, TimeUnit unit) {
    SqlParserPos index = call.getParserPosition();
    return SqlLiteral.createInterval(
        1, Integer.toString(count), new SqlIntervalQualifier(unit, null, index), index);
  }

  /**
   * Rewrites EXTRACT of YEAR or MONTH from AGE, which is the most common use of AGE; returns null
   * for others.
   */
  static SqlNode ofAge(SqlCall call, String field, SqlNode operand) {
    boolean isAge =
        operand instanceof SqlCall age
            && age.getOperator().getName().equalsIgnoreCase("AGE")
            && (age.operandCount() == 1 || age.operandCount() == 2);
    boolean isMonth = field.equals(TimeUnit.MONTH.name());
    if (!isAge || !isMonth && !field.equals(TimeUnit.YEAR.name())) {
      return null;
    }
    SqlParserPos index = call.getParserPosition();
    List<SqlNode> operands = ((SqlCall) operand).getOperandList();
    SqlNode until =
        operands.size() == 1
            ? SqlStdOperatorTable.CURRENT_DATE.createCall(index)
            : operands.getFirst();
    SqlNode count =
        SqlStdOperatorTable.TIMESTAMP_DIFF.createCall(
            index,
            new SqlIntervalQualifier(isMonth ? TimeUnit.MONTH : TimeUnit.YEAR, null, index),
            operands.getLast(),
            until);
    return isMonth
        ? SqlStdOperatorTable.MOD.createCall(
            index, count, SqlLiteral.createExactNumeric("12", index))
        : count;
  }

  /**
   * Rewrites DATE_BIN with a string as its interval; returns null if that is an interval already.
   */
  static SqlNode bin(SqlCall call) {
    if (call.operandCount() != ARGUMENTS_OF_BIN
        || !(call.operand(0) instanceof SqlCharStringLiteral text)) {
      return null;
    }
    SqlNode interval =
        IntervalTexts.interval(text.getParserPosition(), false, text.getValueAs(String.class));
    return AddedFunctions.DATE_BIN.createCall(
        call.getParserPosition(), interval, call.operand(1), call.operand(2));
  }

  /** Rewrites ISFINITE: all dates are finite. */
  static SqlNode isFinite(SqlCall call) {
    SqlParserPos index = call.getParserPosition();
    if (call.operandCount() != 1) {
      throw SqlErrors.at(ErrorCode.INVALID_STATEMENT, "ISFINITE takes 1 argument", index);
    }
    return new SqlCase(
        index,
        null,
        SqlNodeList.of(SqlStdOperatorTable.IS_NOT_NULL.createCall(index, call.<SqlNode>operand(0))),
        SqlNodeList.of(SqlLiteral.createBoolean(true, index)),
        SqlLiteral.createNull(index));
  }

  private static NelumboException unsupported(SqlCall call, String message) {
    return SqlErrors.at(
        ErrorCode.UNSUPPORTED, "this is not supported: " + message, call.getParserPosition());
  }
}
