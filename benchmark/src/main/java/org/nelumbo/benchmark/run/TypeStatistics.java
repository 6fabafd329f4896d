package org.nelumbo.benchmark.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.nelumbo.benchmark.database.Failure;

/**
 * The counts and latencies of one transaction type, of one terminal or of all together. Not
 * thread-safe: each terminal fills its own, and they are added up after all have ended.
 *
 * <p>In a closed loop a transaction counts as measured if it began and ended within the measured
 * time, in an open loop if its intended start is within it. Its latency runs from the intended
 * start (in a closed loop: from its first attempt) to the last response, back-off included. Its
 * service time is the duration of its last attempt alone.
 */
public final class TypeStatistics {
  private static final int SIGNIFICANT_DIGITS = 3;

  private final Histogram latencyNanos = new Histogram(SIGNIFICANT_DIGITS);
  private final Histogram serviceNanos = new Histogram(SIGNIFICANT_DIGITS);
  private final Map<Abort, Long> aborts = new HashMap<>();
  private long committed;
  private long rolledBack;
  private long conflicts;
  private long gaveUp;
  private long unknown;
  private long startedLate;
  private long backOffNanos;
  private long committedInAll;
  private long unknownInAll;

  void ended(Attempt attempt, Outcome outcome, boolean measured) {
    boolean commit = outcome == Outcome.COMMITTED;
    if (commit) {
      committedInAll++;
    }
    if (measured) {
      committed += commit ? 1 : 0;
      rolledBack += commit ? 0 : 1;
      latencyNanos.recordValue(Math.max(0, attempt.latencyNanos()));
      serviceNanos.recordValue(Math.max(0, attempt.serviceNanos()));
      addCosts(attempt);
    }
  }

  void gaveUp(Attempt attempt, boolean measured) {
    if (measured) {
      gaveUp++;
      addCosts(attempt);
      Failure last = attempt.failures().getLast();
      count(last, Abort.Treatment.RETRIED, -1); // the last attempt was not retried
      count(last, Abort.Treatment.GIVEN_UP, 1);
    }
  }

  void unknown(Attempt attempt, Failure cause, boolean measured) {
    unknownInAll++;
    if (measured) {
      unknown++;
      addCosts(attempt);
      count(cause, Abort.Treatment.UNKNOWN, 1);
    }
  }

  /** Records an expected rollback that was reported as an error. */
  void expected(Attempt attempt, Failure cause, boolean measured) {
    ended(attempt, Outcome.ROLLED_BACK, measured);
    if (measured) {
      count(cause, Abort.Treatment.EXPECTED, 1);
    }
  }

  private void addCosts(Attempt attempt) {
    startedLate += attempt.late() ? 1 : 0;
    if (attempt.conflicts() > 0) {
      conflicts += attempt.conflicts();
      backOffNanos += attempt.backOffNanos();
      attempt.failures().forEach(failure -> count(failure, Abort.Treatment.RETRIED, 1));
    }
  }

  private void count(Failure cause, Abort.Treatment treatment, long by) {
    long sum = aborts.merge(new Abort(cause, treatment), by, Long::sum);
    if (sum == 0) {
      aborts.remove(new Abort(cause, treatment));
    }
  }

  void add(TypeStatistics other) {
    latencyNanos.add(other.latencyNanos);
    serviceNanos.add(other.serviceNanos);
    other.aborts.forEach((abort, count) -> aborts.merge(abort, count, Long::sum));
    committed += other.committed;
    rolledBack += other.rolledBack;
    conflicts += other.conflicts;
    gaveUp += other.gaveUp;
    unknown += other.unknown;
    startedLate += other.startedLate;
    backOffNanos += other.backOffNanos;
    committedInAll += other.committedInAll;
    unknownInAll += other.unknownInAll;
  }

  void write(DataOutputStream out) throws IOException {
    CountCodec.writeHistogram(out, latencyNanos);
    CountCodec.writeHistogram(out, serviceNanos);
    CountCodec.writeAborts(out, aborts);
    out.writeLong(committed);
    out.writeLong(rolledBack);
    out.writeLong(conflicts);
    out.writeLong(gaveUp);
    out.writeLong(unknown);
    out.writeLong(startedLate);
    out.writeLong(backOffNanos);
    out.writeLong(committedInAll);
    out.writeLong(unknownInAll);
  }

  static TypeStatistics read(DataInputStream in) throws IOException {
    TypeStatistics read = new TypeStatistics();
    CountCodec.addHistogram(in, read.latencyNanos);
    CountCodec.addHistogram(in, read.serviceNanos);
    CountCodec.readAborts(in, read.aborts);
    read.committed = in.readLong();
    read.rolledBack = in.readLong();
    read.conflicts = in.readLong();
    read.gaveUp = in.readLong();
    read.unknown = in.readLong();
    read.startedLate = in.readLong();
    read.backOffNanos = in.readLong();
    read.committedInAll = in.readLong();
    read.unknownInAll = in.readLong();
    return read;
  }

  /**
   * Returns the latencies of the measured transactions that committed or rolled back as expected.
   */
  public Histogram latencyNanos() {
    return latencyNanos;
  }

  /** Returns the durations of the last attempts of the same transactions. */
  public Histogram serviceNanos() {
    return serviceNanos;
  }

  /**
   * Returns the number of attempts of measured transactions that failed with an error, by cause.
   */
  public Map<Abort, Long> aborts() {
    return Collections.unmodifiableMap(aborts);
  }

  /** Returns the number of measured transactions that committed. */
  public long committed() {
    return committed;
  }

  /** Returns the number of measured transactions rolled back as the benchmark demands. */
  public long rolledBack() {
    return rolledBack;
  }

  /** Returns the number of attempts of measured transactions that ended in a conflict. */
  public long conflicts() {
    return conflicts;
  }

  /**
   * Returns the number of attempts after a conflict: all conflicts except the last one of each
   * transaction that was given up.
   */
  public long retries() {
    return conflicts - gaveUp;
  }

  /** Returns the number of measured transactions given up after too many conflicts. */
  public long gaveUp() {
    return gaveUp;
  }

  /** Returns the number of measured transactions whose outcome is unknown. */
  public long unknown() {
    return unknown;
  }

  /**
   * Returns the number of measured transactions of an open loop for which no terminal was free at
   * their arrival.
   */
  public long startedLate() {
    return startedLate;
  }

  /** Returns the time that measured transactions waited between attempts. */
  public long backOffNanos() {
    return backOffNanos;
  }

  /**
   * Returns the number of transactions committed since the terminals started, including the warm-up
   * and the last transaction.
   */
  public long committedInAll() {
    return committedInAll;
  }

  /** Returns the number of transactions with an unknown outcome since the terminals started. */
  public long unknownInAll() {
    return unknownInAll;
  }
}
