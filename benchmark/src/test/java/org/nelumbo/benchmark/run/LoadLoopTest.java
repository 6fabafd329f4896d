package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.benchmark.database.Dialect;

/**
 * The closed loop with one terminal in virtual time: a try takes a millisecond, so that a second
 * has a thousand tries.
 */
@Timeout(120)
class LoadLoopTest {
  private static final int RETRIES_MAX = 3;
  private static final double TOLERANCE = 0.002; // three digits of a histogram

  private final VirtualClock clock = new VirtualClock();
  private final ScriptedTerminals terminals = new ScriptedTerminals(clock);

  @Test
  void shouldCountCommitsAndRollbacks() throws Exception {
    terminals.commits().rollsBack().commits().rollsBack();
    TypeStatistics result = run(Duration.ZERO).total();
    assertEquals(2, result.rolledBack());
    assertEquals(998, result.committed());
    assertEquals(1000, result.latencyNanos().getTotalCount());
    assertEquals(1, terminals.closed);
  }

  @Test
  void shouldTryAgainAfterConflictsAndCountThemByCause() throws Exception {
    terminals.fails("40001", 2).commits().fails("40P01", 1).commits();
    TypeStatistics result = run(Duration.ZERO).total();
    assertEquals(3, result.conflicts());
    assertEquals(3, result.retries());
    assertEquals(0, result.gaveUp());
    assertEquals(result.committed(), result.latencyNanos().getTotalCount());
    assertEquals(Map.of("conflict RETRIED", 2L, "deadlock RETRIED", 1L), causes(result));
  }

  @Test
  void shouldIncludeRetriesInLatencyButNotServiceTime() throws Exception {
    terminals.fails("40001", RETRIES_MAX).commits();
    TypeStatistics result = run(Duration.ZERO).total();
    long fourTries = TimeUnit.MILLISECONDS.toNanos(4);
    long latency = result.latencyNanos().getMaxValue();
    assertEquals(1, (double) latency / (fourTries + result.backOffNanos()), TOLERANCE);
    assertTrue(result.backOffNanos() > 0);
    assertEquals(1, result.serviceNanos().getMaxValue() / 1e6, TOLERANCE);
  }

  @Test
  void shouldTryAgainAtOnceWithoutBackoff() throws Exception {
    terminals.fails("40001", RETRIES_MAX).commits();
    TypeStatistics result = run(closed(Warmup.fixed(Duration.ZERO), false)).total();
    assertEquals(RETRIES_MAX, result.retries());
    assertEquals(0, result.backOffNanos());
  }

  @Test
  void shouldDrawNextTransactionAfterMaxRetries() throws Exception {
    terminals.fails("40001", RETRIES_MAX + 1);
    TypeStatistics result = run(Duration.ZERO).total();
    assertEquals(1, result.gaveUp());
    assertEquals(RETRIES_MAX + 1, result.conflicts());
    assertEquals(RETRIES_MAX, result.retries());
    assertEquals(Map.of("conflict RETRIED", 3L, "conflict GIVEN_UP", 1L), causes(result));
    assertTrue(terminals.draws > 1);
  }

  @Test
  void shouldConnectAgainAfterAnUnknownOutcome() throws Exception {
    terminals.fails("08007", 1);
    TypeStatistics result = run(Duration.ZERO).total();
    assertEquals(1, result.unknown());
    assertEquals(1, result.unknownInAll());
    assertEquals(Map.of("unknown outcome UNKNOWN", 1L), causes(result));
    assertEquals(List.of(0, 1), terminals.incarnations);
    assertEquals(List.of("begin", "close", "begin", "end"), terminals.calls.subList(0, 4));
  }

  @Test
  void shouldCountAllowedErrorsAsExpectedRollbacks() throws Exception {
    terminals.allowedState = "23505";
    terminals.fails("23505", 2);
    TypeStatistics result = run(Duration.ZERO).total();
    assertEquals(2, result.rolledBack());
    assertEquals(Map.of("unique EXPECTED", 2L), causes(result));
  }

  @Test
  void shouldStopAtUnexpectedErrorAndReportIt() {
    terminals.commits().fails("42601", 1);
    RunStoppedException stopped = assertThrows(RunStoppedException.class, () -> run(Duration.ZERO));
    assertTrue(stopped.getMessage().contains("42601"));
    assertFalse(stopped.databaseLost());
    assertEquals(2, terminals.draws);
  }

  @Test
  void shouldReportLostDatabase() {
    terminals.fails("08006", 1);
    RunStoppedException stopped = assertThrows(RunStoppedException.class, () -> run(Duration.ZERO));
    assertTrue(stopped.databaseLost());
  }

  @Test
  void shouldStopWhenATerminalCannotOpen() {
    TerminalFactory broken =
        (_, _, _) -> {
          throw new SQLException("no such table", "42S02");
        };
    LoadLoop loop =
        new LoadLoop(terminals, dialect(), broken, 1, closed(Warmup.fixed(Duration.ZERO)), clock);
    RunStoppedException stopped =
        assertThrows(RunStoppedException.class, () -> loop.run(RunProgress.NONE));
    assertTrue(stopped.getMessage().contains("no such table"));
  }

  @Test
  void shouldNotMeasureTheWarmup() throws Exception {
    terminals.fails("40001", 1).rollsBack();
    RunStatistics run = run(Duration.ofSeconds(2));
    TypeStatistics result = run.total();
    assertEquals(0, result.rolledBack());
    assertEquals(0, result.conflicts());
    assertEquals(Map.of(), causes(result));
    assertTrue(Math.abs(1000 - result.committed()) <= 1);
    assertTrue(result.committedInAll() > 2900);
    assertEquals(Duration.ofSeconds(2), run.warmup().length());
  }

  @Test
  void shouldShowEachSecondWarmupIncluded() throws Exception {
    terminals.rollsBack().fails("40001", 1);
    Timeline timeline = run(Duration.ofSeconds(2)).timeline();
    assertEquals(Duration.ofSeconds(1), timeline.width());
    Interval second = new Interval();
    assertTrue(timeline.read(0, second));
    assertEquals(1, second.rolledBack());
    assertEquals(1, second.aborts());
    assertTrue(timeline.read(1, second));
    assertTrue(Math.abs(1000 - second.committed()) <= 1);
    assertEquals(1, second.latencyNanos().getMaxValue() / 1e6, 0.02);
    assertTrue(timeline.read(2, second));
    assertTrue(timeline.size() <= 4);
  }

  @Test
  void shouldLetUsersKeyAndThink() throws Exception {
    terminals.keyingNanos = TimeUnit.MILLISECONDS.toNanos(4);
    terminals.thinkNanos = TimeUnit.MILLISECONDS.toNanos(5);
    TypeStatistics result = run(Duration.ZERO).total();
    assertEquals(100, result.committed());
    assertEquals(1, result.latencyNanos().getMaxValue() / 1e6, TOLERANCE);
  }

  static Map<String, Long> causes(TypeStatistics result) {
    Map<String, Long> causes = new java.util.HashMap<>();
    result
        .aborts()
        .forEach((abort, n) -> causes.put(abort.cause().name() + " " + abort.treatment(), n));
    return causes;
  }

  private static Dialect dialect() {
    return Dialect.ofProduct("none");
  }

  private static LoopSettings closed(Warmup warmup) {
    return closed(warmup, true);
  }

  private static LoopSettings closed(Warmup warmup, boolean backsOff) {
    return new LoopSettings(
        1,
        warmup,
        Duration.ofSeconds(1),
        Optional.empty(),
        RETRIES_MAX,
        backsOff,
        Duration.ofSeconds(20),
        1);
  }

  private RunStatistics run(Duration warmup) throws Exception {
    return run(closed(Warmup.fixed(warmup)));
  }

  private RunStatistics run(LoopSettings settings) throws Exception {
    return new LoadLoop(terminals, dialect(), terminals, 1, settings, clock).run(RunProgress.NONE);
  }
}
