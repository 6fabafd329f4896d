package org.nelumbo.planner.catalog;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;

/**
 * The numbers of an identity column or a sequence. They are taken in ranges: the end of the range
 * is written to the catalogue before the first of it is used, so a number is never given twice,
 * though some may be left out. A transaction that rolls back does not give its numbers back.
 * Thread-safe.
 */
public final class IdentitySequence {
  private static final long RANGE = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final String owner;
  private final Bounds bounds;
  private final LongConsumer reserve;

  /** Guarded by the lock: the next number, and how many are left of the range. */
  private long next;

  private long left;

  /** There is no next number. */
  private boolean exhausted;

  /**
   * Which numbers there are.
   *
   * @param cycle whether they begin again after the last
   */
  record Bounds(long increment, long least, long greatest, boolean cycle) {
    static Bounds of(long increment) {
      return new Bounds(increment, Long.MIN_VALUE, Long.MAX_VALUE, false);
    }

    static Bounds of(SequenceDefinition sequence) {
      return new Bounds(
          sequence.increment(), sequence.least(), sequence.greatest(), sequence.cycle());
    }

    boolean contains(long number) {
      return number >= least && number <= greatest;
    }

    /** Whether a number is the last one. */
    boolean isLast(long number) {
      long sum = number + increment;
      boolean overflows = ((number ^ sum) & (increment ^ sum)) < 0;
      return overflows || !contains(sum);
    }
  }

  /**
   * A sequence.
   *
   * @param owner whose numbers they are, for messages
   * @param next the first number nobody has
   * @param reserve writes the first number after a range to the catalogue
   */
  IdentitySequence(String owner, long next, Bounds bounds, LongConsumer reserve) {
    this.owner = owner;
    this.next = next;
    this.bounds = bounds;
    this.reserve = reserve;
    this.exhausted = !bounds.contains(next);
  }

  /** The next number; 22003 if there is none. */
  public long next() {
    lock.lock();
    try {
      if (exhausted) {
        begin();
      }
      if (left == 0) {
        reserveRange();
      }
      long number = next;
      left--;
      exhausted = bounds.isLast(number);
      next = exhausted ? number : number + bounds.increment;
      return number;
    } finally {
      lock.unlock();
    }
  }

  /** Begins again, if that is allowed. */
  private void begin() {
    if (!bounds.cycle) {
      throw new NelumboException(ErrorCode.NUMBER_OUT_OF_RANGE, owner + " is used up");
    }
    next = bounds.increment > 0 ? bounds.least : bounds.greatest;
    left = 0;
    exhausted = false;
  }

  private void reserveRange() {
    long end = next;
    long count = 1;
    while (count < RANGE && !bounds.isLast(end)) {
      end += bounds.increment;
      count++;
    }
    long sum = end + bounds.increment; // beyond the bounds where the last one is reserved
    boolean overflows = ((end ^ sum) & (bounds.increment ^ sum)) < 0;
    reserve.accept(overflows ? end : sum);
    left = count;
  }

  /** The number that would be given next, to go on from there. */
  public long following() {
    lock.lock();
    try {
      return exhausted ? next + bounds.increment : next;
    } finally {
      lock.unlock();
    }
  }

  /** Goes on with a number. */
  public void restart(long number) {
    lock.lock();
    try {
      reserve.accept(number);
      next = number;
      left = 0;
      exhausted = !bounds.contains(number);
    } finally {
      lock.unlock();
    }
  }
}
