package org.nelumbo.soak.death;

import java.util.Arrays;

/**
 * The longest time since a mark in which a process has committed nothing on a row, for each row.
 * Thread-safe.
 */
final class RowGaps {
  private final long[] last;
  private final long[] longest;

  RowGaps(int rows) {
    last = new long[rows];
    longest = new long[rows];
  }

  /** Starts anew, as if all rows were written now. */
  synchronized void mark(long now) {
    Arrays.fill(last, now);
    Arrays.fill(longest, 0);
  }

  /** Records a write of a row whose commit was acknowledged. */
  synchronized void committed(int row, long now) {
    longest[row] = Math.max(longest[row], now - last[row]);
    last[row] = now;
  }

  /** Returns the longest time without a commit on some row, up to now. */
  synchronized long longest(long now) {
    long result = 0;
    for (int row = 0; row < last.length; row++) {
      result = Math.max(result, Math.max(longest[row], now - last[row]));
    }
    return result;
  }
}
