package org.nelumbo.benchmark.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * The transactions that ended within one interval of a run. Not thread-safe: each terminal fills
 * its own intervals, and the {@link Timeline} adds them up.
 */
public final class Interval {
  /** Two digits suffice for the percentiles of a plot, and take a tenth of the memory of three. */
  private static final int SIGNIFICANT_DIGITS = 2;

  private final Histogram latencyNanos = new Histogram(SIGNIFICANT_DIGITS);
  private long committed;
  private long rolledBack;
  private long aborts;
  private long unknown;

  void ended(Outcome outcome, long latency, int conflicts) {
    committed += outcome == Outcome.COMMITTED ? 1 : 0;
    rolledBack += outcome == Outcome.COMMITTED ? 0 : 1;
    aborts += conflicts;
    latencyNanos.recordValue(Math.max(0, latency));
  }

  void gaveUp(int conflicts) {
    aborts += conflicts;
  }

  void unknown(int conflicts) {
    unknown++;
    aborts += conflicts;
  }

  void add(Interval other) {
    latencyNanos.add(other.latencyNanos);
    committed += other.committed;
    rolledBack += other.rolledBack;
    aborts += other.aborts;
    unknown += other.unknown;
  }

  void reset() {
    latencyNanos.reset();
    committed = 0;
    rolledBack = 0;
    aborts = 0;
    unknown = 0;
  }

  void write(DataOutputStream out) throws IOException {
    CountCodec.writeHistogram(out, latencyNanos);
    out.writeLong(committed);
    out.writeLong(rolledBack);
    out.writeLong(aborts);
    out.writeLong(unknown);
  }

  static Interval read(DataInputStream in) throws IOException {
    Interval read = new Interval();
    CountCodec.addHistogram(in, read.latencyNanos);
    read.committed = in.readLong();
    read.rolledBack = in.readLong();
    read.aborts = in.readLong();
    read.unknown = in.readLong();
    return read;
  }

  /**
   * Returns the latencies of the transactions that ended in this interval with a commit or an
   * expected rollback.
   */
  public Histogram latencyNanos() {
    return latencyNanos;
  }

  public long committed() {
    return committed;
  }

  /** Returns the number of transactions rolled back as the benchmark demands. */
  public long rolledBack() {
    return rolledBack;
  }

  /** Returns the number of conflicts of the transactions that ended in this interval. */
  public long aborts() {
    return aborts;
  }

  /** Returns the number of transactions whose outcome is unknown. */
  public long unknown() {
    return unknown;
  }
}
