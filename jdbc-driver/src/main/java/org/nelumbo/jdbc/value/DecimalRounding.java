package org.nelumbo.jdbc.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.SQLException;
import org.nelumbo.error.ErrorCode;

/**
 * Rounds decimals from users or texts. Their exponents are unbounded, so writing out all digits, as
 * {@code BigDecimal} does for rounding, may need more memory than the JVM has.
 */
public final class DecimalRounding {
  /** Maximum number of digits before or after the point that are written out. */
  static final int DIGITS_MAX = 2_000;

  private static final int LONG_DIGITS = 19;

  private DecimalRounding() {}

  /** Negative if zeros follow the point. */
  private static long wholeDigits(BigDecimal value) {
    return value.signum() == 0 ? 0 : (long) value.precision() - value.scale();
  }

  /** Returns true if no SQL type can hold a value because of its size. */
  static boolean isHuge(BigDecimal value) {
    return wholeDigits(value) > DIGITS_MAX;
  }

  /** Rounds a value that is not huge half up to a scale of at most {@link #DIGITS_MAX}. */
  static BigDecimal round(BigDecimal value, int scale) {
    assert !isHuge(value) && Math.abs(scale) <= DIGITS_MAX : value + " to " + scale;
    return wholeDigits(value) < -scale || value.signum() == 0
        ? BigDecimal.ZERO.setScale(scale)
        : value.setScale(scale, RoundingMode.HALF_UP);
  }

  /** Returns a value with the scale that a caller requests. */
  public static BigDecimal scaled(BigDecimal value, int scale) throws SQLException {
    if (Math.abs((long) scale) > DIGITS_MAX) {
      throw SqlExceptions.badParameter(
          "scale " + scale + " is out of range; it is at most " + DIGITS_MAX);
    }
    if (isHuge(value)) {
      throw outOfRange(value);
    }
    return round(value, scale);
  }

  /** Returns the integer part of a value. */
  static BigInteger truncate(BigDecimal value) throws SQLException {
    if (isHuge(value)) {
      throw outOfRange(value);
    }
    return wholeDigits(value) <= 0 ? BigInteger.ZERO : value.toBigInteger();
  }

  /** Returns the integer part of a value as a long. */
  static long truncateToLong(BigDecimal value) throws SQLException {
    if (wholeDigits(value) <= LONG_DIGITS) {
      BigInteger whole = truncate(value);
      if (whole.bitLength() < Long.SIZE) {
        return whole.longValue();
      }
    }
    throw outOfRange(value);
  }

  /** Returns all digits without an exponent, or with one if there are too many digits. */
  static String text(BigDecimal value) {
    return isHuge(value) || value.scale() > DIGITS_MAX ? value.toString() : value.toPlainString();
  }

  private static SQLException outOfRange(BigDecimal value) {
    return SqlExceptions.of(
        ErrorCode.NUMBER_OUT_OF_RANGE, text(value) + " is out of range for the requested type");
  }
}
