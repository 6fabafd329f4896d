package org.nelumbo.smallbank.terminal;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Converts amounts, which are whole cents in the program and DECIMAL with two decimals in the
 * database.
 */
public final class Amounts {
  /** Amount of SendPayment. */
  public static final long PAYMENT = 500;

  /** Amount of DepositChecking. */
  public static final long DEPOSIT = 130;

  /** Amount that TransactSavings deposits or withdraws. */
  public static final long TRANSACTION = 2020;

  /** Amount of WriteCheck. */
  public static final long CHECK = 500;

  /**
   * Amount that WriteCheck deducts in addition if both accounts together do not cover the check.
   */
  public static final long PENALTY = 100;

  private static final int PLACES = 2;

  private Amounts() {}

  /** Converts cents for the database. */
  public static BigDecimal ofCents(long cents) {
    return BigDecimal.valueOf(cents, PLACES);
  }

  /**
   * Converts an amount of the database to cents. It is rounded, because a product with binary
   * floating point may return an inexact value.
   */
  public static long cents(BigDecimal amount) {
    return amount.setScale(PLACES, RoundingMode.HALF_UP).unscaledValue().longValueExact();
  }
}
