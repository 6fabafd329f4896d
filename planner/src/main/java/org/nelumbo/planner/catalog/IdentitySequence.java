package org.nelumbo.planner.catalog;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The numbers of an identity column or a sequence. They are taken in ranges: each compute node
 * takes one from the catalogue, in one transaction, before the first of it is used. So a number is
 * never given twice, though some may be left out. A transaction that rolls back does not give its
 * numbers back. Thread-safe.
 */
public final class IdentitySequence {
  private static final long RANGE = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Numbers numbers;

  /** Guarded by the lock, as what follows. */
  private String owner;

  private Bounds bounds;

  /** The next number, if any are left of the range. */
  private long next;

  /** How many are left of the range. */
  private long left;

  /** What the catalogue had as its next number after the range was taken. */
  private long end;

  /** How often ranges had become invalid by then. */
  private long restarts;

  /** Where the catalogue keeps what nobody has taken. */
  @FunctionalInterface
  interface Numbers {
    /**
     * Changes it in one transaction.
     *
     * @param change may be called several times; what it throws leaves everything as it was
     * @return what was there before
     */
    SequenceRow update(UnaryOperator<SequenceRow> change);
  }

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
      return overflows(number) || !contains(number + increment);
    }

    private boolean overflows(long number) {
      long sum = number + increment;
      return ((number ^ sum) & (increment ^ sum)) < 0;
    }
  }

  /** Numbers that were taken together: so many from the first one on. */
  private record Range(long first, long count, SequenceRow rest) {}

  /**
   * A sequence.
   *
   * @param owner whose numbers they are, for messages
   * @param restarts of what the catalogue has
   */
  IdentitySequence(String owner, Bounds bounds, long restarts, Numbers numbers) {
    this.owner = owner;
    this.bounds = bounds;
    this.restarts = restarts;
    this.numbers = numbers;
  }

  /** The next number; 22003 if there is none. */
  public long next() {
    lock.lock();
    try {
      if (left == 0) {
        takeRange();
      }
      long number = next;
      left--;
      next = number + bounds.increment;
      return number;
    } finally {
      lock.unlock();
    }
  }

  private void takeRange() {
    Range range = range(numbers.update(row -> range(row).rest));
    next = range.first;
    left = range.count;
    end = range.rest.next();
    restarts = range.rest.restarts();
  }

  /** What can be taken next. */
  private Range range(SequenceRow row) {
    boolean ended = row.isUsedUp() || !bounds.contains(row.next());
    if (ended && !bounds.cycle) {
      throw new NelumboException(ErrorCode.NUMBER_OUT_OF_RANGE, owner + " is used up");
    }
    long first = !ended ? row.next() : bounds.increment > 0 ? bounds.least : bounds.greatest;
    long last = first;
    long count = 1;
    while (count < RANGE && !bounds.isLast(last)) {
      last += bounds.increment;
      count++;
    }
    return new Range(first, count, after(last, row.restarts()));
  }

  /** What is left when a number was taken. */
  private SequenceRow after(long number, long newRestarts) {
    return new SequenceRow(number + bounds.increment, bounds.isLast(number), false, newRestarts);
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
   * Goes on with a number, or with the one after it. Other compute nodes use up the ranges that
   * they have.
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
      left = 0;
      numbers.update(
          row ->
              called ? after(number, row.restarts()) : SequenceRow.first(number, row.restarts()));
    } finally {
      lock.unlock();
    }
  }

  /** Goes on with a number, when the other compute nodes have heard of it there, too. */
  void restart(long number) {
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
      long unused = left;
      left = 0; // of a range that the catalogue does not have any longer
      SequenceRow before = numbers.update(row -> altered(row, wanted, restart, unused));
      save.run();
      bounds = wanted;
      restarts = before.restarts() + 1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * What is left of the range goes back if nobody has taken one since. The next number is as far
   * from the last one as is wanted now.
   */
  private SequenceRow altered(SequenceRow row, Bounds wanted, Long restart, long unused) {
    long newRestarts = row.restarts() + 1;
    if (restart != null || row.isFirst()) {
      return SequenceRow.first(restart != null ? restart : row.next(), newRestarts);
    }
    boolean isLatest = unused > 0 && row.next() == end && row.restarts() == restarts;
    long last = (isLatest ? next : row.next()) - bounds.increment;
    return new SequenceRow(last + wanted.increment, wanted.overflows(last), false, newRestarts);
  }

  /**
   * Follows what another compute node has done: a range that has become invalid is not used any
   * more.
   */
  void follow(String newOwner, Bounds newBounds, SequenceRow row) {
    lock.lock();
    try {
      owner = newOwner;
      if (row.restarts() > restarts || !newBounds.equals(bounds)) {
        left = 0;
        restarts = Math.max(restarts, row.restarts());
        bounds = newBounds;
      }
    } finally {
      lock.unlock();
    }
  }
}
