package org.nelumbo.smallbank.terminal;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts: whole cents in the program, DECIMAL with two places in the database. */
public final class Amounts {
  /** What SendPayment sends. */
  public static final long PAYMENT = 500;

  /** What DepositChecking deposits. */
  public static final long DEPOSIT = 130;

  /** What TransactSavings deposits or withdraws. */
  public static final long TRANSACTION = 2020;

  /** What WriteCheck takes. */
  public static final long CHECK = 500;

  /** What WriteCheck takes besides if there is less than the amount in both accounts. */
  public static final long PENALTY = 100;

  private static final int PLACES = 2;

  private Amounts() {}

  /** For the database. */
  public static BigDecimal ofCents(long cents) {
    return BigDecimal.valueOf(cents, PLACES);
  }

  /** From the database; a product with binary floating point may be off by a little. */
  public static long cents(BigDecimal amount) {
    return amount.setScale(PLACES, RoundingMode.HALF_UP).unscaledValue().longValueExact();
  }
}
