package org.nelumbo.smallbank.terminal;

/**
 * The ledger of what one terminal's transactions did to the money there is, in cents: exactly for
 * those that committed, within bounds for those of unknown outcome. Filled by one thread; read when
 * it has ended.
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

  /** The sum at least. */
  public long low() {
    return committed + unknownLow;
  }

  /** The sum at most. */
  public long high() {
    return committed + unknownHigh;
  }
}
