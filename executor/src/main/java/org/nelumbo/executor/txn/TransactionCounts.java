package org.nelumbo.executor.txn;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The counts of transactions by how they ended, those of the engine itself (its catalogue)
 * included. One thread counts; any thread may read, and sees each number as it was a moment ago.
 */
public final class TransactionCounts {
  private static final VarHandle COUNT = MethodHandles.arrayElementVarHandle(long[].class);
  private static final int COMMITTED = 0;
  private static final int ROLLED_BACK = 1;
  private static final int LOST = 2;

  /** Of one copy, of two and so on. */
  private static final int COPIES = 3;

  /** What has more copies is counted with this. */
  public static final int COPIES_MAX = 8;

  private static final int COUNTS = COPIES + COPIES_MAX;

  private final long[] counts = new long[COUNTS];

  /** Transactions that were committed. */
  public long committed() {
    return get(COMMITTED);
  }

  /** Transactions that were rolled back for another reason than a conflict. */
  public long rolledBack() {
    return get(ROLLED_BACK);
  }

  /** Transactions that were rolled back because another one stood in their way. */
  public long lost() {
    return get(LOST);
  }

  /** Transactions that have written, and were committed to so many copies. */
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
