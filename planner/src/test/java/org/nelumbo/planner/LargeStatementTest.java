package org.nelumbo.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.planner.Failures.assertFails;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.executor.error.ErrorCode;

/** Large texts work, or are refused with 54001 or 54000; none overflows a stack or the heap. */
@Timeout(120)
class LargeStatementTest {
  private static Database database;
  private static Sql sql;

  @BeforeAll
  static void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER, s VARCHAR(20))",
        "INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c')");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static String terms(int count, String separator, IntFunction<String> term) {
    return IntStream.range(0, count).mapToObj(term).collect(Collectors.joining(separator));
  }

  private static String nested(int depth, String open, String inside, String close) {
    return open.repeat(depth) + inside + close.repeat(depth);
  }

  @Test
  void shouldRunFlatTexts() {
    assertEquals(
        List.of("2", "3"),
        sql.query(
            "SELECT id FROM t WHERE "
                + terms(5_000, " OR ", i -> (i % 2 == 0 ? "v = " : "id + 19 = ") + (i + 20))));
    assertEquals(
        List.of("5001"),
        sql.query(
            "SELECT CHAR_LENGTH("
                + terms(5_000, " || ", _ -> "s")
                + " || 'x') FROM t WHERE id = 1"));
    assertEquals(
        List.of("3000"),
        sql.query(
            "SELECT COUNT(*) FROM ("
                + terms(1_000, " UNION ALL ", i -> "SELECT id + " + i + " x FROM t")
                + ") u"));
    assertEquals(
        List.of("1", "2", "3"),
        sql.query(
            "SELECT id FROM t WHERE v IN ("
                + terms(10_000, ", ", String::valueOf)
                + ") ORDER BY 1"));
    assertEquals(
        List.of("1", "2", "3"),
        sql.query(
            "SELECT id FROM t WHERE id IN ("
                + terms(10_000, ", ", String::valueOf)
                + ") ORDER BY 1"));
  }

  @Test
  void shouldRunNestedConditions() {
    String ors = nested(400, "(v = 5 OR ", "v = 30", ")");
    assertEquals(List.of("3"), sql.query("SELECT id FROM t WHERE " + ors));
    String parentheses = nested(2_000, "(", "1", ")");
    assertEquals(List.of("1"), sql.query("SELECT " + parentheses + " FROM t WHERE id = 1"));
    String left = "(".repeat(400) + "v = 30" + terms(400, "", i -> " OR v = " + (i + 100) + ")");
    assertEquals(List.of("3"), sql.query("SELECT id FROM t WHERE " + left));
    sql.run(
        "CREATE TABLE nested (v INTEGER CHECK (" + ors + "))", "INSERT INTO nested VALUES (30)");
    assertFails(ErrorCode.CHECK_VIOLATION, () -> sql.run("INSERT INTO nested VALUES (31)"));
  }

  @Test
  void shouldRefuseWhatIsNestedTooDeeply() {
    for (String expression :
        List.of(nested(2_500, "ABS(", "v", ")"), nested(1_200, "UPPER(", "s", ")"))) {
      assertFails(
          ErrorCode.STATEMENT_TOO_COMPLEX, () -> sql.query("SELECT " + expression + " FROM t"));
    }
    String deep = nested(2_500, "ABS(", "1", ")");
    assertFails(
        ErrorCode.STATEMENT_TOO_COMPLEX,
        () -> sql.run("CREATE TABLE deep (v INTEGER, CHECK (v > " + deep + "))"));
  }

  @Test
  void shouldPlanOnASmallStack() throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    Thread small =
        new Thread(
            null,
            () -> {
              try (Sql other = new Sql(database)) {
                String ors = nested(150, "(v = 5 OR ", "v = 30", ")");
                assertEquals(List.of("3"), other.query("SELECT id FROM t WHERE " + ors));
              }
            },
            "small-stack",
            160 << 10);
    small.setUncaughtExceptionHandler((thread, e) -> thrown[0] = e);
    small.start();
    small.join();
    assertEquals(null, thrown[0]);
  }

  @Test
  void shouldBoundWhatExpressionsYield() {
    String bomb = "'aaaaaaaaaa'";
    for (int i = 0; i < 12; i++) {
      bomb = "REPLACE(" + bomb + ", 'a', 'aaaaaaaaaa')";
    }
    String large = bomb;
    assertFails(ErrorCode.LIMIT_EXCEEDED, () -> sql.query("SELECT " + large + " FROM t"));
    assertFails(
        ErrorCode.LIMIT_EXCEEDED,
        () ->
            sql.query(
                "SELECT CHAR_LENGTH("
                    + large.replace("'aaaaaaaaaa')", "s || 'aaaaaaaaaa')")
                    + ") FROM t"));
  }

  @Test
  void shouldSearchLongTextsInLinearTime() {
    String text = "a".repeat(1 << 20);
    String pattern = "%" + "a".repeat(1 << 19) + "b%";
    assertEquals(
        List.of(),
        sql.query(
            "SELECT id FROM t WHERE CAST(? AS VARCHAR) LIKE CAST(? AS VARCHAR)", text, pattern));
    assertEquals(
        List.of("0"),
        sql.query(
            "SELECT POSITION(CAST(? AS VARCHAR) IN CAST(? AS VARCHAR)) FROM t WHERE id = 1",
            pattern.substring(1, pattern.length() - 1),
            text));
  }

  @Test
  void shouldNotKeepPlansOfLongTexts() {
    long before = database.statistics().cachedPlans();
    for (int i = 0; i < 2; i++) {
      int number = i;
      sql.query("SELECT id FROM t WHERE v IN (" + terms(10_000, ", ", n -> n + number + "") + ")");
    }
    assertTrue(
        database.statistics().cachedPlans() <= before,
        "plans=" + database.statistics().cachedPlans());
  }
}
