package org.nelumbo.executor.expr;

import java.util.Locale;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Conversions between types. Numbers round half up, away from zero. A number that does not fit
 * fails with 22003, a text that does not denote a value of the target type with 22018 (dates and
 * times: 22007).
 */
public final class Casts {
  private Casts() {}

  /**
   * Creates a CAST. Text that is too long for the target is truncated silently, as the standard
   * demands. Returns the operand itself if no conversion is necessary. The nullability of the
   * target is ignored.
   *
   * @throws NelumboException TYPE_MISMATCH if there is no such cast
   */
  public static Expression cast(ColumnType target, Expression operand) {
    return convert(target, operand, TextOverflow.TRUNCATE);
  }

  /**
   * Creates the conversion for storing a value in a column. It works like {@link #cast}, but does
   * not truncate text that is too long, which {@link org.nelumbo.executor.row.RowWriter} rejects
   * with the name of the column.
   */
  public static Expression assign(ColumnType target, Expression operand) {
    return convert(target, operand, TextOverflow.KEEP);
  }

  /** Creates the conversion of {@link #cast} or {@link #assign}, depending on {@code overflow}. */
  static Expression convert(ColumnType to, Expression operand, TextOverflow overflow) {
    ColumnType target = to.withNullable(operand.type().nullable());
    if (target.equals(operand.type())) {
      return operand;
    } else if (operand instanceof Literal && operand.isNull(null)) {
      return Literal.nullOf(target);
    } else if (operand instanceof SharedLiteral literal) {
      return literal.converted(target, overflow);
    }
    Expression result =
        switch (target.kind()) {
          case BOOLEAN -> toBoolean(target, operand);
          case TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, NUMERIC ->
              NumberCasts.to(target, operand);
          case CHAR, VARCHAR -> TextCasts.toText(target, operand, overflow);
          case BINARY, VARBINARY -> TextCasts.toBinary(target, operand, overflow);
          case UUID -> UuidCasts.to(target, operand);
          case DATE, TIME, TIMESTAMP, TIMESTAMP_LTZ -> DatetimeCasts.to(target, operand);
          case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalCasts.to(target, operand);
        };
    if (result == null) {
      throw new NelumboException(
          ErrorCode.TYPE_MISMATCH,
          "cannot cast " + operand.type().sqlName() + " to " + target.sqlName());
    }
    return FunctionSupport.fold(result);
  }

  /** Converts any number to DOUBLE. */
  public static Expression toDouble(Expression operand) {
    return operand.type().kind().isFloating() ? operand : cast(ColumnType.of(Kind.DOUBLE), operand);
  }

  /** Converts any exact number to a BigDecimal with its own scale. */
  static Expression toBig(Expression operand) {
    if (!operand.type().isLong()) {
      return operand;
    }
    ColumnType from = operand.type();
    ColumnType big = new ColumnType(Kind.DECIMAL, 38, from.scale(), from.nullable());
    return FunctionSupport.fold(
        new ObjectFunctionCall("%", big, (f, a) -> ExactNumbers.big(a[0], f), operand));
  }

  private static Expression toBoolean(ColumnType target, Expression operand) {
    Kind from = operand.type().kind();
    if (from == Kind.BOOLEAN) {
      return operand;
    } else if (from.isInteger()) {
      return new LongFunctionCall(
          CastSupport.name(target), target, (f, a) -> a[0].evalLong(f) != 0 ? 1 : 0, operand);
    }
    return from.isCharacter()
        ? new LongFunctionCall(CastSupport.name(target), target, Casts::parseBoolean, operand)
        : null;
  }

  private static long parseBoolean(Frame frame, Expression[] arguments) {
    String text = (String) arguments[0].evalObject(frame);
    if (text == null) {
      return frame.nullLong();
    }
    return switch (text.strip().toUpperCase(Locale.ROOT)) {
      case "TRUE", "T", "YES", "Y", "ON", "1" -> 1;
      case "FALSE", "F", "NO", "N", "OFF", "0" -> 0;
      default -> throw ColumnType.of(Kind.BOOLEAN).cannotCast(text);
    };
  }
}
