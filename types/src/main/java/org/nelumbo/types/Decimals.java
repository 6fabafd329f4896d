package org.nelumbo.types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The limits of DECIMAL and NUMERIC values, and the binary form of wide DECIMALs. A DECIMAL with a
 * precision of up to 18 is a {@code long}; one with a precision of up to 38 takes 16 bytes. NUMERIC
 * has no declared precision.
 */
public final class Decimals {
  /**
   * Maximum number of digits of a NUMERIC before the decimal point, and the maximum number after
   * it.
   */
  public static final int NUMERIC_DIGITS = 1_000;

  /**
   * Maximum number of bytes of an encoded NUMERIC: 2 bytes of exponent, a byte for each two digits,
   * one more byte because a digit on either side of the point may share its byte with a zero, and
   * the end.
   */
  static final int NUMERIC_BYTES = 2 + NUMERIC_DIGITS + 1 + 1;

  /** Size of a DECIMAL with a precision above 18, in bytes. */
  public static final int WIDE_BYTES = 16;

  private static final long[] POWERS = new long[ColumnType.MAX_LONG_PRECISION + 1];
  private static final BigInteger[] BIG_POWERS =
      new BigInteger[ColumnType.MAX_DECIMAL_PRECISION + 1];

  static {
    long power = 1;
    for (int i = 0; i < POWERS.length; i++) {
      POWERS[i] = power;
      power *= 10;
    }
    for (int i = 0; i < BIG_POWERS.length; i++) {
      BIG_POWERS[i] = BigInteger.TEN.pow(i);
    }
  }

  private Decimals() {}

  /** Returns 10 to the power of {@code exponent}, 0 to 18. */
  public static long power(int exponent) {
    return POWERS[exponent];
  }

  /** Returns true if an unscaled value has at most {@code precision} (0 to 18) digits. */
  public static boolean fits(long unscaled, int precision) {
    long limit = POWERS[precision];
    return unscaled < limit && unscaled > -limit;
  }

  /** Returns true if an unscaled value has at most {@code precision} (0 to 38) digits. */
  public static boolean fits(BigInteger unscaled, int precision) {
    return unscaled.abs().compareTo(BIG_POWERS[precision]) < 0;
  }

  /**
   * Returns true if a number has at most {@link #NUMERIC_DIGITS} digits before the decimal point.
   */
  public static boolean fitsNumeric(BigDecimal value) {
    return value.signum() == 0 || (long) value.precision() - value.scale() <= NUMERIC_DIGITS;
  }

  /**
   * Converts a number that {@linkplain #fitsNumeric fits} to the canonical form of NUMERIC: rounded
   * half up to {@link #NUMERIC_DIGITS} digits after the point, without trailing zeros after the
   * point.
   */
  public static BigDecimal toNumeric(BigDecimal value) {
    boolean tiny = (long) value.precision() - value.scale() < -NUMERIC_DIGITS;
    if (tiny || value.signum() == 0) {
      return BigDecimal.ZERO;
    } else if (value.scale() <= 0) {
      return value.setScale(0);
    }
    BigDecimal rounded =
        value.scale() > NUMERIC_DIGITS
            ? value.setScale(NUMERIC_DIGITS, RoundingMode.HALF_UP)
            : value;
    BigDecimal stripped = rounded.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  /** Writes the unscaled value in 16 bytes whose unsigned order is the order of the values. */
  public static void putWide(byte[] bytes, int at, BigDecimal value, int scale) {
    BigInteger unscaled = (value.scale() == scale ? value : value.setScale(scale)).unscaledValue();
    long high = unscaled.shiftRight(64).longValue();
    Bytes.putLongBe(bytes, at, high ^ Long.MIN_VALUE);
    Bytes.putLongBe(bytes, at + 8, unscaled.longValue());
  }

  /** Reads a value written by {@link #putWide}. */
  public static BigDecimal wideAt(byte[] bytes, int at, int scale) {
    long high = Bytes.longBe(bytes, at) ^ Long.MIN_VALUE;
    long low = Bytes.longBe(bytes, at + 8);
    if (high == low >> 63) {
      return BigDecimal.valueOf(low, scale);
    }
    byte[] twos = new byte[WIDE_BYTES];
    Bytes.putLongBe(twos, 0, high);
    Bytes.putLongBe(twos, 8, low);
    return new BigDecimal(new BigInteger(twos), scale);
  }
}
