package org.nelumbo.tpcc.data;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Converts amounts, which are whole cents in the program and DECIMAL with two decimals in the
 * database.
 */
public final class Money {
  private static final int PLACES = 2;
  private static final int RATE_PLACES = 4;

  private Money() {}

  /** Converts cents for the database. */
  public static BigDecimal ofCents(long cents) {
    return BigDecimal.valueOf(cents, PLACES);
  }

  /** Converts a tax or discount in ten-thousandths for the database. */
  public static BigDecimal ofRate(int tenThousandths) {
    return BigDecimal.valueOf(tenThousandths, RATE_PLACES);
  }

  /**
   * Converts an amount of the database to cents. It is rounded, because a product with binary
   * floating point may return an inexact value.
   */
  public static long cents(BigDecimal amount) {
    return whole(amount, PLACES);
  }

  /** Converts a tax or discount of the database to ten-thousandths. */
  public static long rate(BigDecimal rate) {
    return whole(rate, RATE_PLACES);
  }

  private static long whole(BigDecimal value, int decimals) {
    BigDecimal exact = value.setScale(decimals, RoundingMode.HALF_UP);
    return exact.scaleByPowerOfTen(decimals).longValue();
  }
}
