package org.nelumbo.benchmark.run;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.database.Failure;

/**
 * The times of one transaction from its intended start to its last answer; used again for the next.
 * All times are nanoseconds of the loop's clock.
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
   * A new transaction.
   *
   * @param intendedStart when it was to start
   * @param begin when its first try began
   * @param startsLate whether no terminal was free when it was to start
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

  /** The last try ended in a conflict. */
  void conflict(Failure failure) {
    conflicts++;
    failures.add(failure);
  }

  /** The next try begins, after a wait. */
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

  /** The conflicts. */
  List<Failure> failures() {
    return failures;
  }

  boolean late() {
    return late;
  }
}
