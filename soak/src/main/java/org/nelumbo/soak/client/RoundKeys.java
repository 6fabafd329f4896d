package org.nelumbo.soak.client;

/**
 * Keys and values of a round. Each round has lists, registers and journal numbers of its own, so
 * that its history is complete when its last transaction has ended.
 */
public final class RoundKeys {
  /** Lists of a round. */
  public static final int LISTS = 6;

  /** Registers of a round: rows that come and go. */
  public static final int REGISTERS = 12;

  /** Accounts of the bank, which are those of all rounds. */
  public static final int ACCOUNTS = 60;

  /** What an account holds in the beginning. */
  public static final long BALANCE = 1_000;

  /** Rows of the table that is sorted; a power of two. */
  static final int BULK_ROWS = 4096;

  private static final int KEYS_PER_ROUND = 100;
  private static final long NUMBERS_PER_SESSION = 1_000_000;
  private static final long NUMBERS_PER_ROUND = 1_000_000_000_000L;

  private RoundKeys() {}

  /** Key of a list. */
  public static int list(int round, int index) {
    return round * KEYS_PER_ROUND + index;
  }

  /** Key of a register; those of a round follow one another. */
  public static int register(int round, int index) {
    return round * KEYS_PER_ROUND + LISTS + index;
  }

  /** Value that no other transaction writes in any round. */
  public static long value(int session, long number) {
    return session * NUMBERS_PER_SESSION + number;
  }

  /** First journal number of a round; those of the next round begin where its numbers end. */
  public static long firstJournal(int round) {
    return round * NUMBERS_PER_ROUND;
  }

  /** Journal number of a transaction. */
  public static long journal(int round, int session, long number) {
    return firstJournal(round) + value(session, number);
  }
}
