package org.nelumbo.types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * DECIMAL as bytes and its limits: precision up to 18 in a {@code long}, up to 38 in 16 bytes. And
 * the values of NUMERIC, which has no precision.
 */
public final class Decimals {
  /** Most digits of a NUMERIC before the point, and most behind it. */
  public static final int NUMERIC_DIGITS = 1_000;

  /**
   * Most bytes of an encoded NUMERIC: exponent, two digits a byte before and behind the point, of
   * which two may share their byte with a zero, and the end.
   */
  static final int NUMERIC_BYTES = 2 + NUMERIC_DIGITS + 1 + 1;

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

  /** 10 to the {@code exponent}, 0 to 18. */
  public static long power(int exponent) {
    return POWERS[exponent];
  }

  /** Whether an unscaled value has at most {@code precision} (0 to 18) digits. */
  public static boolean fits(long unscaled, int precision) {
    long limit = POWERS[precision];
    return unscaled < limit && unscaled > -limit;
  }

  /** Whether an unscaled value has at most {@code precision} (0 to 38) digits. */
  public static boolean fits(BigInteger unscaled, int precision) {
    return unscaled.abs().compareTo(BIG_POWERS[precision]) < 0;
  }

  /** Whether a number has no more digits before the point than a NUMERIC. */
  public static boolean fitsNumeric(BigDecimal value) {
    return value.signum() == 0 || (long) value.precision() - value.scale() <= NUMERIC_DIGITS;
  }

  /**
   * A number that {@linkplain #fitsNumeric fits} as NUMERIC has it: rounded half up to the digits
   * there are behind the point, without zeros at their end.
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

  /** Writes 16 bytes whose unsigned order is the order of the unscaled values. */
  public static void putWide(byte[] bytes, int at, BigDecimal value, int scale) {
    BigInteger unscaled = (value.scale() == scale ? value : value.setScale(scale)).unscaledValue();
    long high = unscaled.shiftRight(64).longValue();
    Bytes.putLongBe(bytes, at, high ^ Long.MIN_VALUE);
    Bytes.putLongBe(bytes, at + 8, unscaled.longValue());
  }

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
