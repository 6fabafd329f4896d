package org.nelumbo.tpcc.data;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts: whole cents in the program, DECIMAL with two places in the database. */
public final class Money {
  private static final int PLACES = 2;
  private static final int RATE_PLACES = 4;

  private Money() {}

  /** For the database. */
  public static BigDecimal ofCents(long cents) {
    return BigDecimal.valueOf(cents, PLACES);
  }

  /** A tax or discount in ten-thousandths, for the database. */
  public static BigDecimal ofRate(int tenThousandths) {
    return BigDecimal.valueOf(tenThousandths, RATE_PLACES);
  }

  /** From the database; a product with binary floating point may be off by a little. */
  public static long cents(BigDecimal amount) {
    return whole(amount, PLACES);
  }

  /** A tax or discount from the database, in ten-thousandths. */
  public static long rate(BigDecimal rate) {
    return whole(rate, RATE_PLACES);
  }

  private static long whole(BigDecimal value, int places) {
    BigDecimal exact = value.setScale(places, RoundingMode.HALF_UP);
    return exact.scaleByPowerOfTen(places).longValue();
  }
}
