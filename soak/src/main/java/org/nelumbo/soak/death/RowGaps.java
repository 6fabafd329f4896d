package org.nelumbo.soak.death;

import java.util.Arrays;

/**
 * The longest time in which a process has committed nothing on a row, for each row, from a moment
 * on. Thread-safe.
 */
final class RowGaps {
  private final long[] last;
  private final long[] longest;

  RowGaps(int rows) {
    last = new long[rows];
    longest = new long[rows];
  }

  /** Begins anew: all rows were written now. */
  synchronized void mark(long now) {
    Arrays.fill(last, now);
    Arrays.fill(longest, 0);
  }

  /** A row was written, and the commit acknowledged. */
  synchronized void committed(int row, long now) {
    longest[row] = Math.max(longest[row], now - last[row]);
    last[row] = now;
  }

  /** The longest time without a commit on some row, up to now. */
  synchronized long longest(long now) {
    long result = 0;
    for (int row = 0; row < last.length; row++) {
      result = Math.max(result, Math.max(longest[row], now - last[row]));
    }
    return result;
  }
}
