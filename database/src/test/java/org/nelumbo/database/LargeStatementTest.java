package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.error.ErrorCode;

/**
 * Large SQL texts work, or are refused with 54001 or 54000; none overflows the stack or the heap.
 */
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
  void shouldStoreDefinitionsWithThousandsOfTerms() {
    String sum = terms(3_000, " + ", Integer::toString);
    sql.run(
        "CREATE TABLE d (a INTEGER CHECK ("
            + terms(3_000, " OR ", i -> "a = " + i)
            + "), b INTEGER DEFAULT "
            + sum
            + ", c INTEGER GENERATED ALWAYS AS (a + "
            + sum
            + "))",
        "ALTER TABLE d ADD CHECK (a + " + sum + " > 0)",
        "CREATE INDEX d_a ON d (a) WHERE " + terms(3_000, " OR ", i -> "a = " + i),
        "CREATE VIEW d_v AS SELECT a + " + sum + " AS x FROM d",
        "INSERT INTO d (a) VALUES (5)");
    assertEquals(List.of("5 4498500 4498505"), sql.query("SELECT * FROM d"));
    assertEquals(List.of("4498505"), sql.query("SELECT x FROM d_v"));
    assertFails(ErrorCode.CHECK_VIOLATION, () -> sql.run("INSERT INTO d (a) VALUES (5000)"));
    sql.run("ALTER TABLE d RENAME COLUMN b TO e", "DROP VIEW d_v", "DROP TABLE d");
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

  /** Each term uses the result of the terms before it. */
  @Test
  void shouldRunLongChains() {
    String where = " FROM t WHERE id = 1";
    assertEquals(List.of("5000"), sql.query("SELECT " + terms(5_000, " + ", _ -> "1")));
    assertEquals(List.of("50000"), sql.query("SELECT " + terms(5_000, " + ", _ -> "v") + where));
    assertEquals(List.of("-49980"), sql.query("SELECT " + terms(5_000, " - ", _ -> "v") + where));
    assertEquals(List.of("1"), sql.query("SELECT " + terms(5_000, " * ", _ -> "id") + where));
    assertEquals(List.of("7500.0"), sql.query("SELECT " + terms(5_000, " + ", _ -> "1.5") + where));
    assertEquals(
        List.of("null"),
        sql.query(
            "SELECT v + " + terms(5_000, " + ", i -> i == 7 ? "NULLIF(v, 10)" : "v") + where));
    assertEquals(List.of("10"), sql.query("SELECT " + nested(2_500, "ABS(", "v", ")") + where));
    assertEquals(
        List.of("2"),
        sql.query("SELECT id FROM t WHERE " + terms(5_000, " + ", _ -> "v") + " = 100000"));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> sql.query("SELECT " + terms(5_000, " + ", _ -> "v * 100000000") + where));
    String zeros = terms(5_000, " + ", _ -> "0");
    assertEquals(0, sql.update("UPDATE t SET v = v + " + zeros + " WHERE id = 9"));
    Object[] ones = new Object[5_000];
    Arrays.fill(ones, 1);
    assertEquals(List.of("5000"), sql.query("SELECT " + terms(5_000, " + ", _ -> "?"), ones));
    sql.run(
        "CREATE TABLE sums (v INTEGER CHECK (v < 5 + " + terms(400, " + ", _ -> "v") + "))",
        "INSERT INTO sums VALUES (3)");
    assertFails(ErrorCode.CHECK_VIOLATION, () -> sql.run("INSERT INTO sums VALUES (-3)"));
  }

  @Test
  void shouldRunManyUnions() {
    assertEquals(
        List.of("5000"),
        sql.query(
            "SELECT COUNT(*) FROM ("
                + terms(5_000, " UNION ALL ", i -> "SELECT " + i + " x")
                + ") u"));
    assertEquals(
        List.of("10"),
        sql.query(
            "SELECT COUNT(*) FROM ("
                + terms(1_000, " UNION ", i -> "SELECT " + i % 10 + " x")
                + ") u"));
    Object[] ones = new Object[1_000];
    Arrays.fill(ones, 1);
    assertEquals(
        List.of("1"),
        sql.query("SELECT 1 UNION " + terms(1_000, " UNION ", _ -> "SELECT ?"), ones));
  }

  /** The rows exceed the staging buffer of a channel. */
  @Test
  void shouldReadManyLongRows() {
    sql.run("CREATE TABLE texts (id INTEGER PRIMARY KEY, v VARCHAR(100000))");
    String value = "x".repeat(60_000);
    for (int i = 0; i < 40; i++) {
      sql.update("INSERT INTO texts VALUES (?, ?)", i, value);
    }
    assertEquals(List.of("40 60000"), sql.query("SELECT COUNT(*), MIN(LENGTH(v)) FROM texts"));
    assertEquals(40, sql.update("UPDATE texts SET v = v || 'y' WHERE id >= 0"));
    assertEquals(
        List.of("60001"), sql.query("SELECT DISTINCT LENGTH(v) FROM texts WHERE v LIKE '%y'"));
    sql.run("DROP TABLE texts");
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
  void shouldRejectTooDeeplyNestedExpressions() {
    for (String expression :
        List.of(nested(2_500, "(1 + ", "v", ")"), nested(1_200, "CONCAT('a', ", "s", ")"))) {
      assertFails(
          ErrorCode.STATEMENT_TOO_COMPLEX, () -> sql.query("SELECT " + expression + " FROM t"));
    }
    String deep = nested(2_500, "(v + ", "1", ")");
    assertFails(
        ErrorCode.STATEMENT_TOO_COMPLEX,
        () -> sql.run("CREATE TABLE deep (v INTEGER, CHECK (v > " + deep + "))"));
  }

  /** The cost of planning these expressions must not double for each level. */
  @Test
  void shouldRunStatementsNestedFortyLevelsDeep() {
    for (String expression :
        List.of(
            nested(40, "COALESCE(", "NULLIF(v, 10)", ", 30)"),
            nested(40, "coalesce(v - v, ", "v", ")").replace("v - v", "NULL"),
            nested(40, "NVL(", "NULLIF(v, 10)", ", 30)"),
            nested(40, "GREATEST(", "v", ", 30)"),
            nested(40, "LEAST(", "v + 20", ", 30)"))) {
      String expected = expression.startsWith("coalesce") ? "10" : "30";
      assertEquals(List.of(expected), sql.query("SELECT " + expression + " FROM t WHERE id = 1"));
    }
    assertEquals(
        List.of("1"), sql.query(nested(40, "SELECT (", "VALUES 1", ") FROM t WHERE id = 1")));
    assertEquals(
        List.of("2", "3"),
        sql.query(
            nested(40, "SELECT id FROM t WHERE id > 1 AND id IN (", "SELECT id FROM t", ")")));
    assertEquals(
        List.of("3"),
        sql.query(nested(40, "SELECT id FROM t WHERE id = (", "SELECT MAX(id) FROM t", ")")));
    String doubled =
        nested(40, "SELECT id, v + v - v AS v FROM (", "SELECT id, v - v + 1 AS v FROM t", ") x");
    assertEquals(List.of("1 1", "2 1", "3 1"), sql.query(doubled + " ORDER BY id"));
    assertEquals(
        List.of("2"), sql.query("SELECT id FROM (" + doubled + ") x WHERE v + v = id AND v < 5"));
    assertEquals(List.of("3"), sql.query("SELECT SUM(v) FROM (" + doubled + ") x"));
  }

  @Test
  void shouldRejectStatementsThatExpandExponentially() {
    String with =
        "w0 AS (SELECT id FROM t), "
            + terms(
                40, ", ", i -> "w" + (i + 1) + " AS (SELECT a.id FROM w" + i + " a, w" + i + " b)");
    for (String query :
        List.of(
            "SELECT " + nested(40, "NULLIF(", "v", ", 1)") + " FROM t",
            "SELECT " + nested(40, "{fn IFNULL(", "v", ", 1)}") + " FROM t",
            "SELECT " + nested(40, "CASE ", "v", " WHEN 1 THEN 2 WHEN 2 THEN 3 END") + " FROM t",
            "SELECT id FROM t WHERE " + nested(40, "(", "v = 1", ") BETWEEN FALSE AND TRUE"),
            "SELECT id FROM t WHERE " + nested(40, "(", "v = 1", ") IN (TRUE, FALSE)"),
            "SELECT id FROM t WHERE " + nested(40, "(", "v = 1", ") IS DISTINCT FROM TRUE"),
            "WITH " + with + " SELECT COUNT(*) FROM w40",
            "UPDATE t SET v = " + nested(40, "NULLIF(", "v", ", 1)"))) {
      assertFails(ErrorCode.STATEMENT_TOO_COMPLEX, () -> sql.query(query));
    }
    String deep = nested(40, "NULLIF(", "1", ", 2)");
    for (String change :
        List.of(
            "CREATE TABLE grown (v INTEGER CHECK (v > " + deep + "))",
            "CREATE TABLE grown (v INTEGER DEFAULT " + deep + ")",
            "ALTER TABLE t ADD CHECK (v > " + deep + ")",
            "ALTER TABLE t ADD COLUMN w INTEGER DEFAULT " + deep)) {
      assertFails(ErrorCode.STATEMENT_TOO_COMPLEX, () -> sql.run(change));
    }
    assertEquals(
        List.of("10"),
        sql.query("SELECT " + nested(8, "NULLIF(", "v", ", 1)") + " FROM t WHERE id = 1"));
    String twice = with.substring(0, with.indexOf(", w3 "));
    assertEquals(List.of("81"), sql.query("WITH " + twice + " SELECT COUNT(*) FROM w2"));
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
  void shouldLimitSizeOfExpressionResults() {
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
  void shouldNotCachePlansOfLongStatements() {
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
