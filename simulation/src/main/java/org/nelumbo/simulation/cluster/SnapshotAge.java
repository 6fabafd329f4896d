package org.nelumbo.simulation.cluster;

import java.util.function.LongSupplier;

/** The age of a session's transaction, whatever wall clocks say: none is too old too soon. */
final class SnapshotAge {
  /** A compute node's clocks may gain that much. */
  private static final double DRIFT_MAX = 0.01;

  private final LongSupplier clock;
  private final long retention;
  private long begun;

  /** Ages by a clock without jumps. */
  SnapshotAge(LongSupplier clock, long retention) {
    this.clock = clock;
    this.retention = retention;
  }

  void begin() {
    begun = clock.getAsLong();
  }

  /**
   * The transaction was told that its snapshot is too old.
   *
   * @throws Violation if it is younger than what is retained
   */
  void tooOld() {
    long nanos = clock.getAsLong() - begun;
    if (nanos < retention * (1 - DRIFT_MAX)) {
      throw new Violation(
          "a snapshot was too old after " + nanos + " ns, versions are kept for " + retention);
    }
  }
}
