package org.nelumbo.database.workload;

import org.nelumbo.dm.env.Environment;
import org.nelumbo.session.StatementKind;

/**
 * Times the statements of one session: all of them, or one in {@value #SAMPLE} at random, so that
 * no pattern of statements hides from it. One thread at a time.
 */
public final class StatementTimer {
  /** Instead of a time: the statement is not measured. */
  private static final long UNTIMED = 0;

  private static final int SAMPLE = 16;

  private final Environment environment;
  private final WorkloadMonitor monitor;
  private final boolean all;
  private final long slowNanos;

  /** Statements until the next one that is measured. */
  private int skip;

  /** Of a linear congruential generator: cheap, and the same in every run. */
  private long random = 1;

  /**
   * A timer of a session.
   *
   * @param all whether every statement is measured
   * @param slowNanos how long one takes that is logged; 0: none is
   */
  StatementTimer(Environment environment, WorkloadMonitor monitor, boolean all, long slowNanos) {
    this.environment = environment;
    this.monitor = monitor;
    this.all = all || slowNanos > 0;
    this.slowNanos = slowNanos;
  }

  /** A statement begins: what {@link #end} has to be told. */
  public long begin() {
    return all || --skip < 0 ? measure() : UNTIMED;
  }

  private long measure() {
    random = random * 6364136223846793005L + 1442695040888963407L;
    skip = (int) (random >>> 32) & 2 * SAMPLE - 1;
    return environment.nanoTime() | 1;
  }

  /**
   * It has ended, well or not.
   *
   * @param begun what {@link #begin} returned
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
