package org.nelumbo.benchmark.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.DriverFinder;
import org.nelumbo.benchmark.database.IsolationLevel;

/** The clock moves on by a millisecond each time it is read, so a run has an end by itself. */
@Timeout(30)
class ClosedLoopTest {
  private static final int RETRIES_MAX = 3;

  private final AtomicLong time = new AtomicLong();
  private final ScriptedTerminals terminals = new ScriptedTerminals();
  private Database database;

  @BeforeEach
  void connect() throws SQLException {
    database =
        Database.open(
            new DatabaseUrl("jdbc:h2:mem:closedloop"),
            new DriverFinder(List.of()),
            new Properties(),
            IsolationLevel.SERIALIZABLE);
  }

  @AfterEach
  void disconnect() throws SQLException {
    database.close();
  }

  @Test
  void shouldCountCommitsAndRollbacks() throws Exception {
    terminals.commits().rollsBack().commits().rollsBack();
    TypeStatistics result = run(Duration.ZERO);
    assertEquals(2, result.rolledBack());
    assertTrue(result.committed() > 2);
    assertEquals(result.committed() + 2, result.latencyNanos().getTotalCount());
    assertEquals(1, terminals.closed);
  }

  @Test
  void shouldTryAgainAfterConflictsAndCountThem() throws Exception {
    terminals.fails("40001", 2).commits().fails("40001", 1).commits();
    TypeStatistics result = run(Duration.ZERO);
    assertEquals(3, result.conflicts());
    assertEquals(3, result.retries());
    assertEquals(0, result.gaveUp());
    assertEquals(result.committed(), result.latencyNanos().getTotalCount());
  }

  @Test
  void shouldIncludeRetriesInTheLatency() throws Exception {
    terminals.commits().fails("40001", RETRIES_MAX).commits();
    TypeStatistics result = run(Duration.ZERO);
    long withoutRetry = result.latencyNanos().getMinValue();
    // each retry reads the clock at least once before and once after its back-off
    assertTrue(result.latencyNanos().getMaxValue() > withoutRetry * RETRIES_MAX);
  }

  @Test
  void shouldGiveUpAfterTooManyConflictsAndDrawAnother() throws Exception {
    terminals.fails("40001", RETRIES_MAX + 1);
    TypeStatistics result = run(Duration.ZERO);
    assertEquals(1, result.gaveUp());
    assertEquals(RETRIES_MAX + 1, result.conflicts());
    assertEquals(RETRIES_MAX, result.retries());
    assertTrue(terminals.draws > 1);
  }

  @Test
  void shouldConnectAgainAfterAnUnknownOutcome() throws Exception {
    terminals.fails("08007", 1);
    TypeStatistics result = run(Duration.ZERO);
    assertEquals(1, result.unknown());
    assertEquals(1, result.unknownInAll());
    assertEquals(List.of(0, 1), terminals.incarnations);
    assertTrue(result.committed() > 0);
  }

  @Test
  void shouldTakeAllowedErrorsForExpectedRollbacks() throws Exception {
    terminals.allowedState = "23505";
    terminals.fails("23505", 2);
    assertEquals(2, run(Duration.ZERO).rolledBack());
  }

  @Test
  void shouldStopAtAnUnexpectedErrorAndSayWhich() {
    terminals.commits().fails("42601", 1);
    RunStoppedException stopped = assertThrows(RunStoppedException.class, () -> run(Duration.ZERO));
    assertTrue(stopped.getMessage().contains("42601"));
    assertFalse(stopped.databaseLost());
    assertEquals(2, terminals.draws);
  }

  @Test
  void shouldTellALostDatabaseFromAnError() {
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
    ClosedLoop loop = new ClosedLoop(database, broken, 1, settings(Duration.ZERO), this::tick);
    RunStoppedException stopped =
        assertThrows(RunStoppedException.class, () -> loop.run(RunProgress.NONE));
    assertTrue(stopped.getMessage().contains("no such table"));
  }

  @Test
  void shouldNotMeasureTheWarmup() throws Exception {
    terminals.fails("40001", 1).rollsBack();
    TypeStatistics result = run(Duration.ofSeconds(1));
    assertEquals(0, result.rolledBack());
    assertEquals(0, result.conflicts());
    assertTrue(result.committed() > 0);
    assertTrue(result.committedInAll() > result.committed());
  }

  private long tick() {
    return time.addAndGet(1_000_000);
  }

  private static LoopSettings settings(Duration warmup) {
    return new LoopSettings(
        1, warmup, Duration.ofSeconds(1), RETRIES_MAX, Duration.ofSeconds(20), 1);
  }

  private TypeStatistics run(Duration warmup) throws Exception {
    ClosedLoop loop = new ClosedLoop(database, terminals, 1, settings(warmup), this::tick);
    return loop.run(RunProgress.NONE).total();
  }
}
