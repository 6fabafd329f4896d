package org.nelumbo.database.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.Isolation;

@Timeout(120)
class ExplainAnalyzeTest {
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)",
        "INSERT INTO t VALUES (1, 10), (2, 20), (3, 30)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  /**
   * Returns the lines of a second run with warm caches, without the parts that depend on clock and
   * layout.
   */
  private List<String> analyzed(String statement) {
    sql.query("EXPLAIN ANALYZE " + statement);
    return sql.query("EXPLAIN ANALYZE " + statement).stream()
        .filter(line -> !line.startsWith("Planning"))
        .map(line -> line.replaceAll(" bytes=[1-9]\\d*| us=\\d+", ""))
        .toList();
  }

  @Test
  void shouldCountRoundTripsOfPointRead() {
    assertEquals(
        List.of(
            "PointGet(T[ID = 2]) rows=1 estimated=1 cost=1 round-trips=3 verbs=3",
            "Statement rows=1 round-trips=3 verbs=3",
            "Commit round-trips=0 verbs=0 bytes=0"),
        analyzed("SELECT v FROM t WHERE id = 2"));
  }

  private static long value(String line, String name) {
    Matcher matcher = Pattern.compile(" " + name + "=(\\d+)").matcher(line);
    assertTrue(matcher.find(), () -> name + " is not in " + line);
    return Long.parseLong(matcher.group(1));
  }

  private String planning(String statement) {
    return sql.query(statement).stream()
        .filter(line -> line.startsWith("Planning"))
        .findFirst()
        .orElse("");
  }

  @Test
  void shouldShowStagesOfPlanning() {
    String line = planning("EXPLAIN ANALYZE SELECT COUNT(*) FROM t x LEFT JOIN t y ON x.v = y.v");
    long sum = 0;
    for (String stage : List.of("parse", "validate", "convert", "optimize")) {
      sum += value(line, stage + "-us");
    }
    assertTrue(sum <= value(line, "us"), line);
    assertTrue(value(line, "validate-us") > 0, line);
    assertFalse(line.contains("cached"), line);
  }

  @Test
  void shouldNotValidateOnTheFastPath() {
    for (String statement :
        List.of("SELECT v FROM t WHERE id = 2", "UPDATE t SET v = 1 WHERE id = 2")) {
      String line = planning("EXPLAIN ANALYZE " + statement);
      assertEquals(0, value(line, "validate-us"), line);
    }
  }

  @Test
  void shouldTellPlansOfTheCacheFromNewOnes() {
    String first = planning("EXPLAIN ANALYZE SELECT v FROM t");
    assertFalse(first.endsWith(" (cached plan)"), first);
    assertEquals(first + " (cached plan)", planning("EXPLAIN ANALYZE SELECT v FROM t"));
    try (Sql other = new Sql(database)) {
      List<String> lines = other.query("EXPLAIN ANALYZE SELECT v FROM t");
      assertTrue(lines.contains(first + " (cached plan)"), lines::toString);
    }
    sql.run("CREATE INDEX tv ON t (v)");
    String again = planning("EXPLAIN ANALYZE SELECT v FROM t");
    assertFalse(again.endsWith(" (cached plan)"), again);
  }

  @Test
  void shouldShowPlanningIfRequested() {
    String query = "SELECT v FROM t";
    assertEquals("", planning("EXPLAIN " + query));
    assertEquals("", planning("EXPLAIN (COSTS) " + query));
    assertEquals("", planning("EXPLAIN (ANALYZE, TIMING OFF) " + query));
    assertEquals("", planning("EXPLAIN (SUMMARY OFF, ANALYZE) " + query));
    assertTrue(planning("EXPLAIN (SUMMARY) " + query).startsWith("Planning us="));
    assertTrue(planning("EXPLAIN (ANALYZE) " + query).startsWith("Planning us="));
  }

  @Test
  void shouldNotReadARowAgainToWriteIt() {
    for (String change :
        List.of("UPDATE t SET v = v + 1 WHERE id = 2", "DELETE FROM t WHERE id = 2")) {
      List<String> plan = sql.query("EXPLAIN ANALYZE " + change);
      assertTrue(
          plan.getFirst().contains("rows=1 estimated=1 round-trips=3 verbs=3"), plan::toString);
    }
  }

  @Test
  void shouldInsertManyRowsInFewRoundTrips() {
    String plan =
        sql.query("EXPLAIN ANALYZE INSERT INTO t SELECT id + 10, v FROM t").stream()
            .filter(line -> line.startsWith("Insert"))
            .findFirst()
            .orElseThrow();
    assertTrue(
        plan.contains("rows=3 estimated=1000 round-trips=7 "), plan); // 3 to scan, 4 to insert
  }

  @Test
  void shouldNeedNoMoreRoundTripsForManyKeys() {
    assertEquals(
        "MultiGet(T[ID] IN (1), (2), (3)) rows=3 estimated=3 cost=3 round-trips=3 verbs=9",
        analyzed("SELECT v FROM t WHERE id IN (1, 2, 3)").getFirst());
  }

  @Test
  void shouldCountRoundTripsOfCommit() {
    try (Sql other = new Sql(database)) {
      // the snapshot keeps the old versions, which a commit might otherwise remove at its end
      other.session().setIsolation(Isolation.SNAPSHOT);
      other.session().setAutoCommit(false);
      assertEquals(List.of("3"), other.query("SELECT COUNT(*) FROM t"));
      String commit = analyzed("UPDATE t SET v = 5 WHERE id = 2").getLast();
      assertTrue(commit.startsWith("Commit round-trips=2 verbs="), commit);
    }
  }

  @Test
  void shouldRunWithinOpenTransaction() {
    sql.session().setAutoCommit(false);
    sql.run("INSERT INTO t VALUES (4, 40)");
    List<String> lines = sql.query("EXPLAIN ANALYZE DELETE FROM t WHERE id > 2");
    assertTrue(
        lines.contains("(round trips are counted in transactions that begin after this statement)"),
        lines::toString);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("Statement rows=2")));
    assertFalse(lines.stream().anyMatch(line -> line.startsWith("Commit")));
    sql.session().rollback();
    assertEquals(List.of("3"), sql.query("SELECT COUNT(*) FROM t"));
    sql.session().commit();
    lines = sql.query("EXPLAIN ANALYZE DELETE FROM t WHERE id > 2");
    assertTrue(
        lines.stream()
            .allMatch(line -> line.startsWith("Planning ") || line.contains(" round-trips=")),
        lines::toString);
    sql.session().commit();
    assertEquals(List.of("2"), sql.query("SELECT COUNT(*) FROM t"));
  }

  @Test
  void shouldUndoChangesOfFailedStatement() {
    sql.session().setAutoCommit(false);
    assertFails(
        ErrorCode.UNIQUE_VIOLATION,
        () -> sql.query("EXPLAIN ANALYZE INSERT INTO t VALUES (4, 40), (1, 10)"));
    sql.session().commit();
    assertEquals(List.of("3"), sql.query("SELECT COUNT(*) FROM t"));
  }

  @Test
  void shouldKeepSessionSettingsWhenCountingStarts() {
    sql.session().setLockTimeout(java.time.Duration.ZERO);
    sql.query("EXPLAIN ANALYZE SELECT * FROM t");
    try (Sql other = new Sql(database)) {
      other.session().setAutoCommit(false);
      other.run("UPDATE t SET v = 0 WHERE id = 1");
      assertFails(
          ErrorCode.SERIALIZATION_FAILURE, () -> sql.run("UPDATE t SET v = 1 WHERE id = 1"));
    }
    sql.run("UPDATE t SET v = 1 WHERE id = 1");
    assertEquals(List.of("1 1"), sql.query("SELECT * FROM t WHERE id = 1"));
  }
}
