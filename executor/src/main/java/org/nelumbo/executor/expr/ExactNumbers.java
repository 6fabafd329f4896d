package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.Ranges;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/** Exact numbers: scales, rounding (half up, away from zero) and range checks. */
public final class ExactNumbers {
  private static final int LEAST_QUOTIENT_DIGITS = 16;
  private static final int DIGITS_PER_WEIGHT = 4;

  private ExactNumbers() {}

  /** Creates the error 22003 for a result out of the range of a type. */
  public static NelumboException outOfRange(ColumnType type) {
    return new NelumboException(
        ErrorCode.NUMBER_OUT_OF_RANGE, "result out of range for " + type.sqlName());
  }

  static NelumboException divisionByZero() {
    return new NelumboException(ErrorCode.DIVISION_BY_ZERO, "division by zero");
  }

  /** Returns the value if it is in the range of the type; fails with 22003 otherwise. */
  static long check(ColumnType type, long value) {
    if (!Ranges.fits(type, value)) {
      throw outOfRange(type);
    }
    return value;
  }

  /**
   * Returns a value with the scale of the type if it does not have too many digits; fails with
   * 22003 otherwise.
   */
  static BigDecimal check(ColumnType type, BigDecimal value) {
    if (!Ranges.fits(type, value)) {
      throw outOfRange(type);
    }
    return value;
  }

  /**
   * Rounds to the scale of the type and checks the precision; converts to the canonical form for
   * NUMERIC.
   */
  static BigDecimal fit(ColumnType type, BigDecimal value) {
    if (type.kind() == Kind.NUMERIC) {
      return Decimals.toNumeric(check(type, value));
    }
    return check(type, value.setScale(type.scale(), RoundingMode.HALF_UP));
  }

  /**
   * Rounds to the scale of a {@code long} type, checks the range, and returns the unscaled value.
   */
  static long fitLong(ColumnType type, BigDecimal value) {
    BigDecimal rounded = value.setScale(type.scale(), RoundingMode.HALF_UP);
    if (rounded.precision() > 19) {
      throw outOfRange(type);
    }
    try {
      return check(type, rounded.unscaledValue().longValueExact());
    } catch (ArithmeticException tooLong) {
      throw outOfRange(type);
    }
  }

  /** Converts an unscaled value to another scale; both types are {@code long} types. */
  static long rescale(ColumnType target, long value, int fromScale) {
    int scale = target.scale();
    if (scale == fromScale) {
      return check(target, value);
    } else if (scale < fromScale) {
      return check(target, divide(value, Decimals.power(fromScale - scale)));
    }
    long factor = Decimals.power(scale - fromScale);
    long product = value * factor;
    if (Math.multiplyHigh(value, factor) != product >> 63) {
      throw outOfRange(target);
    }
    return check(target, product);
  }

  /** Returns the quotient rounded half up, away from zero; the divisor is positive. */
  static long divide(long value, long divisor) {
    long quotient = value / divisor;
    long rest = Math.abs(value % divisor);
    if (rest >= divisor - rest) {
      quotient += value < 0 ? -1 : 1;
    }
    return quotient;
  }

  /**
   * Returns the quotient with the scale of a DECIMAL type. For NUMERIC it has at least sixteen
   * significant digits and all decimals of the operands, as in PostgreSQL.
   */
  public static BigDecimal quotient(ColumnType type, BigDecimal value, BigDecimal divisor) {
    int scale = type.kind() == Kind.NUMERIC ? numericQuotientScale(value, divisor) : type.scale();
    return value.divide(divisor, scale, RoundingMode.HALF_UP);
  }

  /** Computes the scale as PostgreSQL does, in digits of base 10000. */
  private static int numericQuotientScale(BigDecimal value, BigDecimal divisor) {
    int weight = weight(value) - weight(divisor);
    if (firstDigit(value) <= firstDigit(divisor)) {
      weight--;
    }
    int scale = LEAST_QUOTIENT_DIGITS - DIGITS_PER_WEIGHT * weight;
    int given = Math.max(value.scale(), divisor.scale());
    return Math.clamp(scale, Math.max(given, 0), Decimals.NUMERIC_DIGITS);
  }

  /** Returns the exponent of the first base-10000 digit; 0 for zero. */
  private static int weight(BigDecimal value) {
    return value.signum() == 0
        ? 0
        : Math.floorDiv(value.precision() - value.scale() - 1, DIGITS_PER_WEIGHT);
  }

  private static int firstDigit(BigDecimal value) {
    return value
        .abs()
        .movePointLeft(DIGITS_PER_WEIGHT * weight(value))
        .setScale(0, RoundingMode.DOWN)
        .intValue();
  }

  /** Evaluates an exact number of any type as a BigDecimal; returns null for NULL. */
  static BigDecimal big(Expression expression, Frame frame) {
    if (!expression.type().isLong()) {
      return (BigDecimal) expression.evalObject(frame);
    }
    long value = expression.evalLong(frame);
    return frame.takeNull() ? null : BigDecimal.valueOf(value, expression.type().scale());
  }

  /** Returns the maximum number of digits, before and after the point, of a number type. */
  static int digits(ColumnType type) {
    return switch (type.kind()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      default -> type.precision();
    };
  }
}
