package org.nelumbo.smallbank.terminal;

/**
 * The changes, in cents, that one terminal's transactions made to the money in the bank: exact for
 * committed transactions, and within bounds for those with an unknown outcome. Filled by one
 * thread, and read after it has ended.
 */
public final class Book {
  private long committed;
  private long unknownLow;
  private long unknownHigh;

  void committed(long cents) {
    committed += cents;
  }

  void unknown(long cents) {
    unknownLow += Math.min(0, cents);
    unknownHigh += Math.max(0, cents);
  }

  /** Returns the lower bound of the sum. */
  public long low() {
    return committed + unknownLow;
  }

  /** Returns the upper bound of the sum. */
  public long high() {
    return committed + unknownHigh;
  }
}
