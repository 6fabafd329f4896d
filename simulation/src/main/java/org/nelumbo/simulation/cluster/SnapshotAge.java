package org.nelumbo.simulation.cluster;

import java.util.function.LongSupplier;

/**
 * The age of a session's transaction, independent of wall clocks. It detects snapshots that are
 * declared too old too early.
 */
final class SnapshotAge {
  private static final double DRIFT_MAX = 0.01;

  private final LongSupplier clock;
  private final long retention;
  private long begun;

  /** Creates an age by a clock without jumps. */
  SnapshotAge(LongSupplier clock, long retention) {
    this.clock = clock;
    this.retention = retention;
  }

  void begin() {
    begun = clock.getAsLong();
  }

  /**
   * Checks the age of a transaction that failed because its snapshot is too old.
   *
   * @throws Violation if the transaction is younger than the retention
   */
  void tooOld() {
    long nanos = clock.getAsLong() - begun;
    if (nanos < retention * (1 - DRIFT_MAX)) {
      throw new Violation(
          "a snapshot was too old after " + nanos + " ns, versions are retained for " + retention);
    }
  }
}
