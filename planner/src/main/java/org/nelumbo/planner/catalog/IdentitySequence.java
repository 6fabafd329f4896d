package org.nelumbo.planner.catalog;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/**
 * The sequence of an identity column. Numbers are taken in ranges: the end of the range is written
 * to the catalogue before the first of it is used, so a number is never given twice, though some
 * may be left out. A transaction that rolls back does not give its numbers back. Thread-safe.
 */
public final class IdentitySequence {
  private static final long RANGE = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final long increment;
  private final String column;
  private final LongConsumer reserve;

  /** Guarded by the lock: the next number, and how many are left of the range. */
  private long next;

  private long left;
  private boolean exhausted;

  /**
   * A sequence.
   *
   * @param next the first number nobody has
   * @param reserve writes the first number after a range to the catalogue
   */
  IdentitySequence(String column, long next, long increment, LongConsumer reserve) {
    this.column = column;
    this.next = next;
    this.increment = increment;
    this.reserve = reserve;
  }

  /** The next number; 22003 if there is none. */
  public long next() {
    lock.lock();
    try {
      if (exhausted) {
        throw new NelumboException(
            ErrorCode.NUMBER_OUT_OF_RANGE, "the identity column " + column + " is used up");
      }
      if (left == 0) {
        reserveRange();
      }
      long number = next;
      left--;
      exhausted = overflows(number);
      next = exhausted ? number : number + increment;
      return number;
    } finally {
      lock.unlock();
    }
  }

  private boolean overflows(long number) {
    long sum = number + increment;
    return ((number ^ sum) & (increment ^ sum)) < 0;
  }

  private void reserveRange() {
    long end = next;
    long count = 0;
    while (count < RANGE && !overflows(end)) {
      end += increment;
      count++;
    }
    reserve.accept(end);
    left = Math.max(1, count);
  }
}
