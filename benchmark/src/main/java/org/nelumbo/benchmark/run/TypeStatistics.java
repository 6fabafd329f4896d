package org.nelumbo.benchmark.run;

import org.HdrHistogram.Histogram;

/**
 * What one terminal, or all together, did with one transaction type. Not thread-safe: a terminal
 * fills its own, and they are added up once all have ended.
 *
 * <p>A transaction counts as measured if it began and ended within the measured time. Its latency
 * runs from the first try to the last answer, back-off included.
 */
public final class TypeStatistics {
  private static final int SIGNIFICANT_DIGITS = 3;

  private final Histogram latencyNanos = new Histogram(SIGNIFICANT_DIGITS);
  private long committed;
  private long rolledBack;
  private long conflicts;
  private long gaveUp;
  private long unknown;
  private long committedInAll;
  private long unknownInAll;

  void ended(Outcome outcome, int conflictsBefore, boolean measured, long nanos) {
    if (outcome == Outcome.COMMITTED) {
      committedInAll++;
    }
    if (measured) {
      committed += outcome == Outcome.COMMITTED ? 1 : 0;
      rolledBack += outcome == Outcome.ROLLED_BACK ? 1 : 0;
      conflicts += conflictsBefore;
      latencyNanos.recordValue(nanos);
    }
  }

  void gaveUp(int conflictsBefore, boolean measured) {
    if (measured) {
      gaveUp++;
      conflicts += conflictsBefore;
    }
  }

  void unknown(int conflictsBefore, boolean measured) {
    unknownInAll++;
    if (measured) {
      unknown++;
      conflicts += conflictsBefore;
    }
  }

  void add(TypeStatistics other) {
    latencyNanos.add(other.latencyNanos);
    committed += other.committed;
    rolledBack += other.rolledBack;
    conflicts += other.conflicts;
    gaveUp += other.gaveUp;
    unknown += other.unknown;
    committedInAll += other.committedInAll;
    unknownInAll += other.unknownInAll;
  }

  /** Latencies of the measured transactions that committed or rolled back as expected. */
  public Histogram latencyNanos() {
    return latencyNanos;
  }

  /** Measured transactions that committed. */
  public long committed() {
    return committed;
  }

  /** Measured transactions that rolled back because the benchmark says so. */
  public long rolledBack() {
    return rolledBack;
  }

  /** Tries that ended in a conflict, of measured transactions. */
  public long conflicts() {
    return conflicts;
  }

  /** Tries after a conflict: all conflicts but the last of each transaction that was given up. */
  public long retries() {
    return conflicts - gaveUp;
  }

  /** Measured transactions given up after too many conflicts. */
  public long gaveUp() {
    return gaveUp;
  }

  /** Measured transactions of which nobody knows whether they committed. */
  public long unknown() {
    return unknown;
  }

  /** Committed since the terminals started, warm-up and last transaction included. */
  public long committedInAll() {
    return committedInAll;
  }

  /** Of unknown outcome since the terminals started. */
  public long unknownInAll() {
    return unknownInAll;
  }
}
