package org.nelumbo.benchmark.report;

import java.util.Locale;
import java.util.Optional;
import org.nelumbo.benchmark.run.OfferedRate;
import org.nelumbo.benchmark.run.RunStatistics;
import org.nelumbo.benchmark.run.TypeStatistics;

/**
 * The load of a run. In an open loop every arrival of the measured time is counted in one of:
 * committed, rolled back, given up, unknown, not started.
 *
 * @param loop {@code closed} or {@code open}
 * @param arrivals {@code poisson} or {@code constant}; empty in a closed loop
 * @param offeredPerSecond requested rate; 0 in a closed loop
 * @param offered arrivals within the measured time; in a closed loop the measured transactions
 * @param startedLate arrivals for which no terminal was free
 * @param notStarted arrivals that no terminal started before the end
 */
public record LoadResult(
    String loop,
    String arrivals,
    double offeredPerSecond,
    long offered,
    long startedLate,
    long notStarted) {
  static LoadResult of(Optional<OfferedRate> rate, RunStatistics statistics) {
    TypeStatistics total = statistics.total();
    return new LoadResult(
        rate.isPresent() ? "open" : "closed",
        rate.map(r -> r.arrivals().name().toLowerCase(Locale.ROOT)).orElse(""),
        rate.map(OfferedRate::perSecond).orElse(0.0),
        total.committed()
            + total.rolledBack()
            + total.gaveUp()
            + total.unknown()
            + statistics.notStarted(),
        total.startedLate(),
        statistics.notStarted());
  }

  /** Returns true if transactions arrived at a given rate. */
  public boolean open() {
    return loop.equals("open");
  }
}
