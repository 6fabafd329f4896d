package org.nelumbo.soak.client;

/**
 * Keys and values of a round. Each round has its own lists, registers and journal numbers, so that
 * its history is complete when its last transaction has ended.
 */
public final class RoundKeys {
  /** Number of lists of a round. */
  public static final int LISTS = 6;

  /** Number of registers of a round: rows that are inserted and deleted. */
  public static final int REGISTERS = 12;

  /** Number of accounts of the bank, which are the same in all rounds. */
  public static final int ACCOUNTS = 60;

  /** Initial balance of an account. */
  public static final long BALANCE = 1_000;

  /** Number of rows of the table that is sorted; a power of two. */
  static final int BULK_ROWS = 4096;

  private static final int KEYS_PER_ROUND = 100;
  private static final long NUMBERS_PER_SESSION = 1_000_000;
  private static final long NUMBERS_PER_ROUND = 1_000_000_000_000L;

  private RoundKeys() {}

  /** Returns the key of a list. */
  public static int list(int round, int index) {
    return round * KEYS_PER_ROUND + index;
  }

  /** Returns the key of a register; the keys of a round are consecutive. */
  public static int register(int round, int index) {
    return round * KEYS_PER_ROUND + LISTS + index;
  }

  /** Returns a value that no other transaction writes in any round. */
  public static long value(int session, long number) {
    return session * NUMBERS_PER_SESSION + number;
  }

  /**
   * Returns the first journal number of a round, which is also the end of those of the round
   * before.
   */
  public static long firstJournal(int round) {
    return round * NUMBERS_PER_ROUND;
  }

  /** Returns the journal number of a transaction. */
  public static long journal(int round, int session, long number) {
    return firstJournal(round) + value(session, number);
  }
}
