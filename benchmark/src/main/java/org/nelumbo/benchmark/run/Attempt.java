package org.nelumbo.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.database.Failure;

/**
 * The times of one transaction from its intended start to its last response; reused for the next
 * one. All times are nanoseconds of the loop's clock.
 */
final class Attempt {
  private final List<Failure> failures = new ArrayList<>();
  private long intended;
  private long tryBegan;
  private long ended;
  private long backOffNanos;
  private int conflicts;
  private boolean late;

  /**
   * Starts a new transaction.
   *
   * @param intendedStart intended start of the transaction
   * @param begin begin of its first attempt
   * @param startsLate true if no terminal was free at the intended start
   */
  void start(long intendedStart, long begin, boolean startsLate) {
    intended = intendedStart;
    tryBegan = begin;
    late = startsLate;
    backOffNanos = 0;
    if (conflicts > 0) {
      conflicts = 0;
      failures.clear();
    }
  }

  /** Records that the last attempt ended in a conflict. */
  void conflict(Failure failure) {
    conflicts++;
    failures.add(failure);
  }

  /** Records the begin of the next attempt, after a wait. */
  void again(long waitedFrom, long begin) {
    backOffNanos += begin - waitedFrom;
    tryBegan = begin;
  }

  void end(long now) {
    ended = now;
  }

  long intended() {
    return intended;
  }

  long endedAt() {
    return ended;
  }

  long latencyNanos() {
    return ended - intended;
  }

  long serviceNanos() {
    return ended - tryBegan;
  }

  long backOffNanos() {
    return backOffNanos;
  }

  int conflicts() {
    return conflicts;
  }

  /** Returns the errors of the attempts that ended in a conflict. */
  List<Failure> failures() {
    return failures;
  }

  boolean late() {
    return late;
  }
}
