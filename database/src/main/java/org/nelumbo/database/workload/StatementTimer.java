package org.nelumbo.database.workload;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.session.StatementKind;

/**
 * Measures the durations of a session's statements: of all of them, or of one in {@value #SAMPLE}
 * at random, so that no regular pattern of statements escapes it. Used by one thread at a time.
 */
public final class StatementTimer {
  private static final long UNTIMED = 0;

  private static final int SAMPLE = 16;

  private final Environment environment;
  private final WorkloadMonitor monitor;
  private final boolean all;
  private final long slowNanos;

  /** Number of statements to skip before the next one that is measured. */
  private int skip;

  /** State of a linear congruential generator, which is cheap and deterministic. */
  private long random = 1;

  /**
   * Creates the timer of a session.
   *
   * @param all true to measure every statement
   * @param slowNanos minimum duration of a logged statement; 0 to log none
   */
  StatementTimer(Environment environment, WorkloadMonitor monitor, boolean all, long slowNanos) {
    this.environment = environment;
    this.monitor = monitor;
    this.all = all || slowNanos > 0;
    this.slowNanos = slowNanos;
  }

  /** Starts a statement; returns the argument for {@link #end}. */
  public long begin() {
    return all || --skip < 0 ? measure() : UNTIMED;
  }

  private long measure() {
    random = random * 6364136223846793005L + 1442695040888963407L;
    skip = (int) (random >>> 32) & 2 * SAMPLE - 1;
    return environment.nanoTime() | 1;
  }

  /**
   * Ends a statement, successful or not.
   *
   * @param begun result of {@link #begin}
   */
  public void end(long begun, StatementKind kind, String sql) {
    if (begun != UNTIMED) {
      long nanos = environment.nanoTime() - begun;
      monitor.latency(StatementClass.of(kind)).record(nanos);
      if (slowNanos > 0 && nanos >= slowNanos) {
        SlowQueryLog.log(sql, nanos);
      }
    }
  }
}
