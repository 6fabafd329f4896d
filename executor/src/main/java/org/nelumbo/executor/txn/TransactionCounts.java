package org.nelumbo.executor.txn;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counts of a coordinator's transactions by how they ended, including the engine's own
 * transactions on the catalogue. One thread counts; any thread may read, and may see slightly older
 * numbers.
 */
public final class TransactionCounts {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int COMMITTED = 0;
  private static final int ROLLED_BACK = 1;
  private static final int LOST = 2;

  /** First of the counters of commits by number of copies: one copy, two copies, and so on. */
  private static final int COPIES = 3;

  /** Number of copies of the last counter; it also counts commits to more copies. */
  public static final int COPIES_MAX = 8;

  private static final int COUNTS = COPIES + COPIES_MAX;

  private final long[] counts = new long[COUNTS];

  /** Returns the number of committed transactions. */
  public long committed() {
    return get(COMMITTED);
  }

  /** Returns the number of transactions that were rolled back for other reasons than a conflict. */
  public long rolledBack() {
    return get(ROLLED_BACK);
  }

  /**
   * Returns the number of transactions that were rolled back because of a conflict with another
   * one.
   */
  public long lost() {
    return get(LOST);
  }

  /**
   * Returns the number of writing transactions that were committed to the given number of copies.
   */
  public long committedTo(int copies) {
    return get(COPIES + copies - 1);
  }

  void countCopies(int copies) {
    add(COPIES + Math.max(1, Math.min(copies, COPIES_MAX)) - 1, 1);
  }

  void countCommitted() {
    add(COMMITTED, 1);
  }

  void countRolledBack(boolean lost) {
    add(lost ? LOST : ROLLED_BACK, 1);
  }

  public void addAll(TransactionCounts other) {
    for (int i = 0; i < COUNTS; i++) {
      add(i, other.get(i));
    }
  }

  private long get(int what) {
    return (long) COUNT.getOpaque(counts, what);
  }

  private void add(int what, long by) {
    COUNT.setOpaque(counts, what, counts[what] + by);
  }
}
