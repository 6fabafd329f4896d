package org.nelumbo.database.plancache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.session.StatementExecution;

/** Texts that differ only in literals share a plan, unless the plan depends on the literals. */
@Timeout(120)
class SharedPlanTest {
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, n DECIMAL(10, 2), f DOUBLE,"
            + " v VARCHAR(10), c CHAR(4), d DATE)",
        "CREATE INDEX t_a ON t (a)",
        "INSERT INTO t VALUES (1, -5, 1.25, 1.5, 'one', 'x', '2024-01-01')",
        "INSERT INTO t VALUES (2, 10, 2.50, 2.5, 'two''s', 'yy', '2024-01-02')",
        "INSERT INTO t VALUES (3, NULL, 13.75, 3, 'three', NULL, '2024-01-03')");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private Object plan(String text) {
    return ((CachedStatement) sql.session().prepare(text)).physical();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "SELECT * FROM t WHERE id = 1|SELECT * FROM t WHERE id = 2",
        "SELECT * FROM t WHERE a = -5|SELECT * FROM t WHERE a = -6",
        "SELECT * FROM t WHERE v = 'one'|SELECT * FROM t WHERE v = 'two''s'",
        "SELECT * FROM t WHERE c IN ('x', 'y')|SELECT * FROM t WHERE c IN ('yy', '')",
        "SELECT * FROM t WHERE d = '2024-01-01'|SELECT * FROM t WHERE d = '2024-1-2'",
        "SELECT * FROM t WHERE n > 1.25 AND f < 3.5|SELECT * FROM t WHERE n > 2.25 AND f < 1.5",
        "SELECT a + 1 AS x FROM t|SELECT a + 2 AS x FROM t",
        "SELECT a, COUNT(*) FROM t GROUP BY a HAVING COUNT(*) > 0"
            + "|SELECT a, COUNT(*) FROM t GROUP BY a HAVING COUNT(*) > 1",
        "SELECT id FROM t WHERE a BETWEEN 1 AND 5 ORDER BY 1"
            + "|SELECT id FROM t WHERE a BETWEEN 2 AND 20 ORDER BY 1",
        "SELECT * FROM t x WHERE EXISTS (SELECT 1 FROM t y WHERE y.id = x.id AND y.a > 7)"
            + "|SELECT * FROM t x WHERE EXISTS (SELECT 1 FROM t y WHERE y.id = x.id AND y.a > 11)",
        "UPDATE t SET v = 'a' WHERE id = 7|UPDATE t SET v = 'abc' WHERE id = 8",
        "DELETE FROM t WHERE id = 7|DELETE FROM t WHERE id = 8",
        "INSERT INTO t (id, v) VALUES (7, 'a'), (8, 'b')"
            + "|INSERT INTO t (id, v) VALUES (9, 'aa'), (10, 'bb')",
      })
  void shouldShare(String one, String other) {
    assertSame(plan(one), plan(other));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "SELECT a, n FROM t ORDER BY 1|SELECT a, n FROM t ORDER BY 2",
        "SELECT a FROM t LIMIT 1|SELECT a FROM t LIMIT 2",
        "SELECT a + 1 FROM t|SELECT a + 2 FROM t",
        "SELECT a + 1 AS x FROM t GROUP BY a + 1|SELECT a + 2 AS x FROM t GROUP BY a + 2",
        "SELECT a FROM t WHERE v LIKE 'o%'|SELECT a FROM t WHERE v LIKE 't%'",
        "SELECT a FROM t WHERE 1 = 1|SELECT a FROM t WHERE 1 = 2",
        "SELECT ROUND(n, 1) AS x FROM t|SELECT ROUND(n, 2) AS x FROM t",
        "SELECT a FROM t WHERE d > d - INTERVAL '1' DAY|SELECT a FROM t WHERE d > d - INTERVAL '2'"
            + " DAY",
        "SELECT a FROM t WHERE a = 1|SELECT a FROM t WHERE a = 3000000000",
        "SELECT a FROM t WHERE n = 1.5|SELECT a FROM t WHERE n = 1.55",
        "SELECT CASE WHEN a > 0 THEN 'x' ELSE v END AS x FROM t"
            + "|SELECT CASE WHEN a > 0 THEN 'xx' ELSE v END AS x FROM t",
      })
  void shouldNotSharePlanThatDependsOnLiterals(String one, String other) {
    assertNotSame(plan(one), plan(other));
  }

  @Test
  void shouldPlanOnceForSessionsThatBeginTogether() {
    String[] texts = {"SELECT a, v FROM t WHERE id = ?", "SELECT a, v FROM t WHERE id = 1"};
    int sessions = 8;
    for (String text : texts) {
      CyclicBarrier barrier = new CyclicBarrier(sessions);
      List<CompletableFuture<Object>> plans = new ArrayList<>();
      for (int i = 0; i < sessions; i++) {
        Session session = database.connect(SessionOptions.defaults());
        plans.add(
            CompletableFuture.supplyAsync(
                () -> {
                  try (session) {
                    barrier.await();
                    return ((CachedStatement) session.prepare(text)).physical();
                  } catch (InterruptedException | BrokenBarrierException e) {
                    throw new IllegalStateException(e);
                  }
                },
                Thread::startVirtualThread));
      }
      Object first = plans.getFirst().join();
      plans.forEach(plan -> assertSame(first, plan.join()));
    }
  }

  @Test
  void shouldRunEachTextWithItsValues() {
    assertEquals(List.of("1"), sql.query("SELECT id FROM t WHERE v = 'one'"));
    assertEquals(List.of("2"), sql.query("SELECT id FROM t WHERE v = 'two''s'"));
    assertEquals(List.of("1"), sql.query("SELECT id FROM t WHERE a = -5"));
    assertEquals(List.of(), sql.query("SELECT id FROM t WHERE a = -10"));
    assertEquals(List.of("2"), sql.query("SELECT id FROM t WHERE d = '2024-01-02'"));
    assertEquals(List.of("3"), sql.query("SELECT id FROM t WHERE d = '2024-01-03'"));
    assertEquals(List.of("1"), sql.query("SELECT id FROM t WHERE c = 'x '"));
    assertEquals(List.of("2"), sql.query("SELECT id FROM t WHERE c = 'yy'"));
    assertEquals(1, sql.update("UPDATE t SET v = 'new', n = n + 0.5 WHERE id = 1"));
    assertEquals(1, sql.update("UPDATE t SET v = 'newer', n = n + 1.5 WHERE id = 3"));
    assertEquals(
        List.of("1 new 1.75", "3 newer 15.25"),
        sql.query("SELECT id, v, n FROM t WHERE id IN (1, 3) ORDER BY id"));
  }

  @Test
  void shouldKeepLiteralValuesOfOpenResults() {
    try (StatementExecution one =
            sql.session().newExecution(sql.session().prepare("SELECT id FROM t WHERE id >= 1"));
        StatementExecution other =
            sql.session().newExecution(sql.session().prepare("SELECT id FROM t WHERE id >= 3"))) {
      one.executeQuery();
      assertTrue(one.next());
      other.executeQuery();
      assertTrue(other.next());
      assertEquals(3, other.longAt(0));
      assertTrue(one.next());
      assertEquals(2, one.longAt(0));
      assertFalse(other.next());
    }
  }

  @Test
  void shouldFailForItsOwnLiteral() {
    assertEquals(List.of("1"), sql.query("SELECT id FROM t WHERE d = '2024-01-01'"));
    assertFails(ErrorCode.BAD_DATETIME, () -> sql.query("SELECT id FROM t WHERE d = 'x'"));
    sql.run("INSERT INTO t (id, v) VALUES (7, 'short')");
    assertFails(
        ErrorCode.STRING_TOO_LONG,
        () -> sql.run("INSERT INTO t (id, v) VALUES (8, 'too long now')"));
    assertFails(
        ErrorCode.UNIQUE_VIOLATION, () -> sql.run("INSERT INTO t (id, v) VALUES (7, 'again')"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "77", "'text'"})
  void shouldReportErrorPositionInOriginalText(String literal) {
    sql.query("SELECT id FROM t WHERE a = 5 AND id = 6");
    NelumboException failure =
        assertThrows(
            NelumboException.class,
            () -> sql.query("SELECT id FROM t WHERE a = " + literal + " AND b = 6"));
    assertTrue(
        failure.getMessage().contains("column " + (33 + literal.length())), failure::getMessage);
  }

  @Test
  void shouldPlanAnewWhenTheSchemaChanges() {
    Object before = plan("SELECT id FROM t WHERE v = 'one'");
    sql.run("CREATE INDEX t_v ON t (v)");
    Object after = plan("SELECT id FROM t WHERE v = 'two'");
    assertNotSame(before, after);
    assertSame(after, plan("SELECT id FROM t WHERE v = 'three'"));
    assertEquals(List.of("3"), sql.query("SELECT id FROM t WHERE v = 'three'"));
  }

  @Test
  void shouldRunPreparedStatementAfterSchemaChange() {
    try (StatementExecution execution =
        sql.session().newExecution(sql.session().prepare("SELECT id FROM t WHERE v = 'one'"))) {
      sql.run("CREATE INDEX t_v ON t (v)");
      execution.executeQuery();
      assertTrue(execution.next());
      assertEquals(1, execution.longAt(0));
    }
  }

  @Test
  void shouldPlanParameterizedTextLikeOriginal() {
    for (String query :
        List.of(
            "SELECT * FROM t WHERE id = 5",
            "SELECT * FROM t WHERE a > 5 AND a <= -3",
            "SELECT * FROM t WHERE id IN (5, 6) AND v = 'x'",
            "SELECT x.id FROM t x JOIN t y ON y.id = x.a + 1 WHERE x.a = 5 ORDER BY x.a LIMIT 3",
            "SELECT id FROM t WHERE d BETWEEN '2024-01-01' AND '2024-02-01'")) {
      String shared = ((CachedStatement) sql.session().prepare(query)).physical().plan().explain();
      assertTrue(shared.contains("?"), shared);
      String plain = String.join("\n", sql.query("EXPLAIN PLAN FOR " + query));
      assertEquals(withoutValues(plain), withoutValues(shared));
    }
  }

  private static String withoutValues(String plan) {
    return plan.strip()
        .replaceAll("\\?\\d+", "?")
        .replaceAll("(DATE )?'[^']*'", "?")
        .replaceAll("(?<![A-Z])-?\\d+", "?");
  }

  @Test
  void shouldShowTextsInCommon() {
    sql.query("SELECT id FROM t WHERE a = 5 LIMIT 2");
    sql.query("SELECT id FROM t WHERE a = -7 LIMIT 2");
    sql.query("SELECT id FROM t WHERE a = 7 LIMIT 2");
    assertEquals(
        List.of("SELECT id FROM t WHERE a = -? LIMIT 2", "SELECT id FROM t WHERE a = ? LIMIT 2"),
        sql.query(
            "SELECT statement FROM sys.statements WHERE statement LIKE '%LIMIT 2' ORDER BY 1"));
  }
}
