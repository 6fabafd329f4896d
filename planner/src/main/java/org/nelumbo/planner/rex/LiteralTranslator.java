package org.nelumbo.planner.rex;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;

/** Translates Calcite's literals to constants with raw values. */
final class LiteralTranslator {
  private static final long MICROS_PER_MILLI = 1_000;

  private LiteralTranslator() {}

  static Expression translate(RexLiteral literal) {
    ColumnType type = SqlTypes.toColumnType(literal.getType());
    if (literal.isNull()) {
      return Expressions.nullOf(type.orNull());
    }
    ColumnType given = type.withNullable(false);
    return switch (given.kind()) {
      case BOOLEAN -> Expressions.literal(given, RexLiteral.booleanValue(literal) ? 1L : 0L);
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          Expressions.literal(
              given, number(literal).setScale(0, RoundingMode.HALF_UP).longValueExact());
      case REAL -> Expressions.literal(given, bits(number(literal).floatValue()));
      case DOUBLE -> Expressions.literal(given, bits(number(literal).doubleValue()));
      case DECIMAL -> decimal(given, number(literal));
      case NUMERIC -> numeric(given, number(literal));
      case CHAR, VARCHAR -> Expressions.literal(given, (Object) text(literal));
      case BINARY, VARBINARY ->
          Expressions.literal(given, (Object) literal.getValueAs(ByteString.class).getBytes());
      case UUID -> Expressions.literal(given, (Object) literal.getValueAs(UUID.class));
      case DATE ->
          Expressions.literal(
              given, (long) literal.getValueAs(DateString.class).getDaysSinceEpoch());
      case TIME -> Expressions.literal(given, micros(literal.getValueAs(TimeString.class)));
      case TIMESTAMP, TIMESTAMP_LTZ ->
          Expressions.literal(given, micros(literal.getValueAs(TimestampString.class)));
      case INTERVAL_MONTHS -> Expressions.literal(given, number(literal).longValueExact());
      case INTERVAL_MICROS ->
          Expressions.literal(given, number(literal).longValueExact() * MICROS_PER_MILLI);
    };
  }

  private static BigDecimal number(RexLiteral literal) {
    Object value = literal.getValue();
    if (value instanceof BigDecimal number) {
      return number;
    } else if (value instanceof Double number) {
      return BigDecimal.valueOf(number);
    }
    throw new NelumboException(ErrorCode.UNSUPPORTED, "literal " + literal + " is not supported");
  }

  private static String text(RexLiteral literal) {
    if (literal.getType().getSqlTypeName() == SqlTypeName.SYMBOL) {
      return literal.getValue().toString();
    }
    NlsString value = literal.getValueAs(NlsString.class);
    return value.getValue();
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static Expression decimal(ColumnType type, BigDecimal value) {
    BigDecimal scaled = value.setScale(type.scale(), RoundingMode.HALF_UP);
    return type.isLong()
        ? Expressions.literal(type, scaled.unscaledValue().longValueExact())
        : Expressions.literal(type, (Object) scaled);
  }

  private static Expression numeric(ColumnType type, BigDecimal value) {
    if (!Decimals.fitsNumeric(value)) {
      throw new NelumboException(
          ErrorCode.NUMBER_OUT_OF_RANGE, "a literal is out of range for NUMERIC");
    }
    return Expressions.literal(type, (Object) Decimals.toNumeric(value));
  }

  private static long micros(TimeString value) {
    return value.getMillisOfDay() * MICROS_PER_MILLI + microsBelowMilli(value.toString());
  }

  private static long micros(TimestampString value) {
    return value.getMillisSinceEpoch() * MICROS_PER_MILLI + microsBelowMilli(value.toString());
  }

  private static long microsBelowMilli(String text) {
    int point = text.indexOf('.');
    if (point < 0 || text.length() < point + 5) {
      return 0;
    }
    String digits = (text.substring(point + 1) + "000000").substring(3, 6);
    return Long.parseLong(digits);
  }
}
