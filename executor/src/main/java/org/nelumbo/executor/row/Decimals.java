package org.nelumbo.executor.row;

import java.math.BigDecimal;
import java.math.BigInteger;

/** DECIMAL as bytes and its limits: precision up to 18 in a {@code long}, up to 38 in 16 bytes. */
public final class Decimals {
  static final int WIDE_BYTES = 16;
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

  /** 10 to the {@code exponent}, 0 to 38. */
  public static BigInteger bigPower(int exponent) {
    return BIG_POWERS[exponent];
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

  /** Writes 16 bytes whose unsigned order is the order of the unscaled values. */
  static void putWide(byte[] bytes, int at, BigDecimal value, int scale) {
    BigInteger unscaled = (value.scale() == scale ? value : value.setScale(scale)).unscaledValue();
    long high = unscaled.shiftRight(64).longValue();
    Bytes.putLongBe(bytes, at, high ^ Long.MIN_VALUE);
    Bytes.putLongBe(bytes, at + 8, unscaled.longValue());
  }

  static BigDecimal wideAt(byte[] bytes, int at, int scale) {
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
