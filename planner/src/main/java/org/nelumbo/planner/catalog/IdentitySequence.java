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
  private final LongConsumer reserve;

  /** Guarded by the lock, as what follows. */
  private String owner;

  private Bounds bounds;

  /** The next number; beyond the bounds, or wrapped around, after the last one. */
  private long next;

  /** How many are left of the range. */
  private long left;

  /** There is no next number. */
  private boolean exhausted;

  /**
   * Which numbers there are.
   *
   * @param cycle whether they begin again after the last
   */
  record Bounds(long increment, long least, long greatest, boolean cycle) {
    /** All numbers from the first one on. */
    static Bounds of(long start, long increment) {
      boolean rises = increment > 0;
      return new Bounds(
          increment, rises ? start : Long.MIN_VALUE, rises ? Long.MAX_VALUE : start, false);
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
      next = number + bounds.increment;
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
    reserve.accept(end + bounds.increment);
    left = count;
  }

  /** Names the owner in messages from now on. */
  void rename(String newOwner) {
    lock.lock();
    try {
      owner = newOwner;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Goes on with a number, or with the one after it.
   *
   * @param called whether the number counts as drawn
   */
  public void set(long number, boolean called) {
    lock.lock();
    try {
      if (!bounds.contains(number)) {
        throw new NelumboException(
            ErrorCode.NUMBER_OUT_OF_RANGE,
            owner
                + " has no number "
                + number
                + ": it goes from "
                + bounds.least
                + " to "
                + bounds.greatest);
      }
      alter(bounds, number, () -> {});
      if (called) {
        next();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Goes on with a number. */
  public void restart(long number) {
    lock.lock();
    try {
      alter(bounds, number, () -> {});
    } finally {
      lock.unlock();
    }
  }

  /**
   * Goes on within other bounds. If anything is thrown, it goes on as before.
   *
   * @param restart the number to go on with; null for the one that would be next
   * @param save writes the bounds to the catalogue
   */
  void alter(Bounds wanted, Long restart, Runnable save) {
    lock.lock();
    try {
      long number = restart == null ? next : restart;
      left = 0; // of a range that the catalogue does not have any longer
      reserve.accept(number);
      save.run();
      bounds = wanted;
      next = number;
      exhausted = !wanted.contains(number);
    } finally {
      lock.unlock();
    }
  }
}
