package org.nelumbo.benchmark.run;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.HdrHistogram.Histogram;

/**
 * The transactions that ended within one interval of a run. Not thread-safe: a terminal fills its
 * own, the {@link Timeline} adds them up.
 */
public final class Interval {
  /** Two digits: the percentiles of a plot, at a tenth of the memory of three. */
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

  /** Latencies of the transactions that ended here with a commit or an expected rollback. */
  public Histogram latencyNanos() {
    return latencyNanos;
  }

  /** Transactions that committed. */
  public long committed() {
    return committed;
  }

  /** Transactions that rolled back because the benchmark says so. */
  public long rolledBack() {
    return rolledBack;
  }

  /** Conflicts of the transactions that ended here. */
  public long aborts() {
    return aborts;
  }

  /** Transactions of unknown outcome. */
  public long unknown() {
    return unknown;
  }
}
