package org.nelumbo.planner.literal;

import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalLiteral.IntervalValue;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.ast.IntervalTexts;
import org.nelumbo.parser.ast.IntervalTypeName;

/**
 * Handles interval literals that Calcite cannot read: fractions of a millisecond, and texts with
 * units.
 */
public final class IntervalLiterals {
  private static final int MILLISECOND_DIGITS = 3;

  private IntervalLiterals() {}

  /** Returns true if a literal has digits below milliseconds. */
  public static boolean isFine(SqlIntervalLiteral literal) {
    String text = literal.getValueAs(IntervalValue.class).getIntervalLiteral();
    int point = text.indexOf('.');
    return point >= 0 && text.strip().length() - point - 1 > MILLISECOND_DIGITS;
  }

  /** Returns the interval as a cast of its text, which is parsed exactly. */
  public static SqlNode ofText(SqlIntervalLiteral literal) {
    IntervalValue value = literal.getValueAs(IntervalValue.class);
    String text = value.getIntervalLiteral().strip();
    boolean signed = text.startsWith("-") || text.startsWith("+");
    boolean negative = text.startsWith("-") != value.getSign() < 0;
    String digits = signed ? text.substring(1) : text;
    boolean minutes = value.getIntervalQualifier().getStartUnit() == TimeUnit.MINUTE;
    SqlParserPos position = literal.getParserPosition();
    return SqlStdOperatorTable.CAST.createCall(
        position,
        SqlLiteral.createCharString(
            (negative ? "-" : "") + (minutes ? "0:" : "") + digits, position),
        new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, position));
  }

  /**
   * Returns true if a literal is cast to INTERVAL without fields, so that its text names the
   * fields.
   */
  public static boolean isBareCast(SqlCall call) {
    return call.getKind() == SqlKind.CAST
        && call.operand(0) instanceof SqlCharStringLiteral
        && call.operand(1) instanceof SqlDataTypeSpec type
        && type.getTypeNameSpec() instanceof IntervalTypeName name
        && name.isBare();
  }

  /** Returns the interval of such a cast. */
  public static SqlNode ofBareCast(SqlCall cast) {
    SqlCharStringLiteral text = cast.operand(0);
    return IntervalTexts.interval(cast.getParserPosition(), false, text.getValueAs(String.class));
  }
}
