package org.nelumbo.benchmark.console;

import java.time.Duration;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.nelumbo.benchmark.run.Interval;
import org.nelumbo.benchmark.run.RunState;

/**
 * Formats a run as one line: the throughput of the last seconds as bars, and the numbers of the
 * last second.
 */
final class RunLine {
  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final int SECONDS_SHOWN = 20;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double MILLIS_PER_SECOND = 1e3;

  /**
   * Delay of a second's numbers: terminals hand them over with their first transaction after it.
   */
  private static final Duration LATE = Duration.ofMillis(200);

  private RunLine() {}

  /** Returns the line. It contains only the phase until the first second is over. */
  static String of(RunState state) {
    String phase = state.measuring() ? "measuring" : "warming up";
    int past = (int) state.elapsed().minus(LATE).dividedBy(state.timeline().width());
    Interval last = new Interval();
    if (past < 1 || !state.timeline().read(past - 1, last)) {
      return phase;
    }
    double seconds = state.timeline().width().toMillis() / MILLIS_PER_SECOND;
    Histogram latency = last.latencyNanos();
    return String.format(
        Locale.ROOT,
        "%s %s %,.0f/s, p50 %,.0f us, p99 %,.0f us, aborts %,.0f/s",
        phase,
        bars(state, past),
        last.committed() / seconds,
        latency.getValueAtPercentile(50) / NANOS_PER_MICRO,
        latency.getValueAtPercentile(99) / NANOS_PER_MICRO,
        last.aborts() / seconds);
  }

  private static String bars(RunState state, int past) {
    int first = Math.max(0, past - SECONDS_SHOWN);
    long[] committed = new long[past - first];
    long most = 1;
    Interval interval = new Interval();
    for (int i = 0; i < committed.length; i++) {
      state.timeline().read(first + i, interval);
      committed[i] = interval.committed();
      most = Math.max(most, committed[i]);
    }
    StringBuilder bars = new StringBuilder();
    for (long each : committed) {
      bars.append(BARS.charAt((int) (each * (BARS.length() - 1) / most)));
    }
    return bars.toString();
  }
}
