package org.nelumbo.planner.catalog;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The numbers of an identity column or a sequence.
 *
 * <p>Each compute node takes a range of numbers from the catalog, in one transaction, before it
 * uses the first of them. So a number is never returned twice, though numbers may be skipped. A
 * transaction that rolls back does not return its numbers. Thread-safe.
 */
public final class IdentitySequence {
  private static final long RANGE = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Numbers numbers;

  /** Guarded by the lock, as are the following fields. */
  private String owner;

  private Bounds bounds;

  /** Next number, if the range is not used up. */
  private long next;

  private long left;

  /** Next number in the catalog after the range was taken. */
  private long end;

  /** Restart counter in the catalog when the range was taken. */
  private long restarts;

  /** Access to the number state in the catalog. */
  @FunctionalInterface
  interface Numbers {
    /**
     * Changes the number state in one transaction.
     *
     * @param change may be called several times; if it throws, nothing changes
     * @return the previous state
     */
    SequenceRow update(UnaryOperator<SequenceRow> change);
  }

  /**
   * The set of possible numbers.
   *
   * @param cycle whether the sequence starts again after the last number
   */
  record Bounds(long increment, long least, long greatest, boolean cycle) {
    /** Returns bounds without a limit other than the first number. */
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

    /** Returns true if no number follows the given one. */
    boolean isLast(long number) {
      return overflows(number) || !contains(number + increment);
    }

    private boolean overflows(long number) {
      long sum = number + increment;
      return ((number ^ sum) & (increment ^ sum)) < 0;
    }
  }

  private record Range(long first, long count, SequenceRow rest) {}

  /**
   * Creates a sequence.
   *
   * @param owner the table column or sequence, for messages
   * @param restarts the restart counter in the catalog
   */
  IdentitySequence(String owner, Bounds bounds, long restarts, Numbers numbers) {
    this.owner = owner;
    this.bounds = bounds;
    this.restarts = restarts;
    this.numbers = numbers;
  }

  /**
   * Returns the next number.
   *
   * @throws NelumboException 22003 if the sequence is used up
   */
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

  private SequenceRow after(long number, long newRestarts) {
    return new SequenceRow(number + bounds.increment, bounds.isLast(number), false, newRestarts);
  }

  /** Sets the owner that messages name. */
  void rename(String newOwner) {
    lock.lock();
    try {
      owner = newOwner;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets the next number, or the last drawn one. Other compute nodes first use up their ranges.
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

  /** Restarts at a number. Other compute nodes do so when they have read the change. */
  void restart(long number) {
    lock.lock();
    try {
      alter(bounds, number, () -> {});
    } finally {
      lock.unlock();
    }
  }

  /**
   * Changes the bounds. If an exception is thrown, nothing changes.
   *
   * @param restart the next number; null to continue with the number that would be next
   * @param save writes the bounds to the catalog
   */
  void alter(Bounds wanted, Long restart, Runnable save) {
    lock.lock();
    try {
      long unused = left;
      left = 0; // the range becomes invalid in the catalog
      SequenceRow before = numbers.update(row -> altered(row, wanted, restart, unused));
      save.run();
      bounds = wanted;
      restarts = before.restarts() + 1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The rest of the current range is returned if no later range has been taken. The next number
   * follows the last one with the new increment.
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

  /** Applies the change of another compute node; an invalidated range is discarded. */
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
