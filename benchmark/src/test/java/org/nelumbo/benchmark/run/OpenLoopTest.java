package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.benchmark.database.Dialect;

/** The open loop with one terminal in virtual time: a try takes a millisecond. */
@Timeout(120)
class OpenLoopTest {
  private static final double MILLI = 1e6;
  private static final double TOLERANCE = 0.002; // three digits of a histogram

  private final VirtualClock clock = new VirtualClock();
  private final ScriptedTerminals terminals = new ScriptedTerminals(clock);

  @Test
  void shouldStartWhenItIsTimeToAndNotBefore() throws Exception {
    RunStatistics run = run(100, Arrivals.CONSTANT, Duration.ZERO);
    TypeStatistics total = run.total();
    assertEquals(100, total.committed());
    assertEquals(0, run.notStarted());
    assertEquals(0, total.startedLate());
    assertEquals(1, total.latencyNanos().getMaxValue() / MILLI, TOLERANCE);
  }

  @Test
  void shouldIncludeQueueingDelayInLatency() throws Exception {
    terminals.commitsAfter(100);
    TypeStatistics total = run(100, Arrivals.CONSTANT, Duration.ZERO).total();
    assertEquals(100, total.committed());
    // the second arrives at 10 ms, starts at 100 and ends at 101; each further one gains 9 ms
    assertEquals(10, total.startedLate());
    Histogram latency = total.latencyNanos();
    assertEquals(100, latency.getMaxValue() / MILLI, 100 * TOLERANCE);
    assertTrue(latency.getCountBetweenValues((long) (1.5 * MILLI), Long.MAX_VALUE) >= 10);
    assertTrue(latency.getCountBetweenValues((long) (90 * MILLI), (long) (92 * MILLI)) >= 1);
    assertEquals(1, total.serviceNanos().getValueAtPercentile(98) / MILLI, TOLERANCE);
  }

  @Test
  void shouldCountTransactionsNotStarted() throws Exception {
    RunStatistics run = run(2_000, Arrivals.CONSTANT, Duration.ZERO);
    assertEquals(1_000, run.total().committed());
    assertEquals(1_000, run.notStarted());
    assertTrue(run.total().startedLate() > 990);
    assertEquals(500, run.total().latencyNanos().getMaxValue() / MILLI, 2);
  }

  @Test
  void shouldAccountForEveryArrivalOfTheMeasuredTime() throws Exception {
    terminals.rollsBack().fails("40001", 4).fails("08007", 1).commitsAfter(2_900);
    RunStatistics run = run(500, Arrivals.CONSTANT, Duration.ofSeconds(2));
    TypeStatistics total = run.total();
    long told = total.committed() + total.rolledBack() + total.gaveUp() + total.unknown();
    assertEquals(500, told + run.notStarted());
    assertTrue(run.notStarted() > 0, "the long one leaves too little time");
  }

  @Test
  void shouldFinishStartedTransaction() throws Exception {
    terminals.commitsAfter(5_000);
    RunStatistics run = run(10, Arrivals.CONSTANT, Duration.ZERO);
    assertEquals(1, run.total().committed());
    assertEquals(9, run.notStarted());
    assertEquals(5_000, run.total().latencyNanos().getMaxValue() / MILLI, 5_000 * TOLERANCE);
  }

  @Test
  void shouldSpreadPoissonArrivalsAtTheRate() throws Exception {
    RunStatistics run = run(200, Arrivals.POISSON, Duration.ZERO);
    long offered = run.total().committed() + run.notStarted();
    assertTrue(Math.abs(200 - offered) < 60, "four standard deviations");
    assertTrue(run.total().startedLate() > 0, "some come close together");
  }

  private RunStatistics run(double rate, Arrivals arrivals, Duration warmup) throws Exception {
    LoopSettings settings =
        new LoopSettings(
            1,
            Warmup.fixed(warmup),
            Duration.ofSeconds(1),
            Optional.of(new OfferedRate(rate, arrivals)),
            3,
            true,
            Duration.ofSeconds(20),
            1);
    Dialect dialect = Dialect.ofProduct("none");
    return new LoadLoop(terminals, dialect, terminals, 1, settings, clock).run(RunProgress.NONE);
  }
}
