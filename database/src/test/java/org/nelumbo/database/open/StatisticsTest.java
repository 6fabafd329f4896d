package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.database.plancache.CachedStatement;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.statistics.TableStatistics;
import org.nelumbo.session.Isolation;

/**
 * Value statistics: estimates, the plans that result from them, and the correctness of these plans.
 */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatisticsTest {
  private static final int ROWS = 12_000;
  private static final Pattern EXPECTED = Pattern.compile("estimated=(\\d+)");

  private LocalDatabase database;
  private Sql sql;

  /**
   * Creates a table of 12,000 rows: {@code u} runs from 0 to 11,999, {@code g} has 100 values,
   * {@code s} is 0 in nine of ten rows, {@code n} is NULL in every fourth row, {@code a} and {@code
   * b} are correlated, {@code d} has 100 days, {@code v} three prefixes.
   */
  @BeforeAll
  void open() {
    database = DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(256L << 20));
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, u INTEGER, g INTEGER, s INTEGER, n INTEGER,"
            + " a INTEGER, b INTEGER, d DATE, v VARCHAR(20))",
        "CREATE INDEX t_u ON t (u)",
        "CREATE INDEX t_g ON t (g)",
        "CREATE INDEX t_s ON t (s)",
        "CREATE INDEX t_n ON t (n)",
        "CREATE INDEX t_ab ON t (a, b)",
        "CREATE INDEX t_d ON t (d)",
        "CREATE INDEX t_v ON t (v)",
        "CREATE TABLE small (id INTEGER PRIMARY KEY, k INTEGER)",
        "CREATE TABLE other (id INTEGER PRIMARY KEY, g INTEGER, w INTEGER)",
        "CREATE INDEX other_g ON other (g)");
    for (int from = 0; from < ROWS; from += 500) {
      sql.update(
          "INSERT INTO t VALUES "
              + IntStream.range(from, from + 500)
                  .mapToObj(StatisticsTest::row)
                  .collect(Collectors.joining(", ")));
    }
    sql.updateMany(
        "INSERT INTO other VALUES (?, ?, ?)", 4_000, i -> new Object[] {i, i % 100, i % 7});
    sql.run("INSERT INTO small VALUES (1, 5), (2, 6), (3, 7)");
    sql.session().commit();
    sql.run("ANALYZE TABLE t");
  }

  private static String row(int i) {
    return "(%d, %d, %d, %d, %s, %d, %d, DATE '%s', '%s')"
        .formatted(
            i,
            i,
            i % 100,
            i % 10 == 0 ? i : 0,
            i % 4 == 0 ? "NULL" : i % 40,
            i % 50,
            i % 50 * 7,
            LocalDate.of(2024, 1, 1).plusDays(i % 100),
            (i % 10 == 0 ? "rare" : i % 2 == 0 ? "even" : "odd") + i);
  }

  @AfterAll
  void close() {
    database.close();
  }

  private TableEntry table(String name) {
    return (TableEntry) database.catalogOfPool().state().relation("PUBLIC", name);
  }

  /** Returns the number of rows that a plan on one table expects. */
  private double expected(String where) {
    List<String> plan = sql.query("EXPLAIN (COSTS) SELECT id FROM t WHERE " + where);
    Matcher matcher = EXPECTED.matcher(plan.toString());
    assertTrue(matcher.find(), plan::toString);
    return Double.parseDouble(matcher.group(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u < 600|600",
        "u >= 11400|600",
        "u BETWEEN 3000 AND 5999|3000",
        "u > 100000|1",
        "u < 3000000000|12000",
        "g = 7|120",
        "g IN (1, 2, 3)|360",
        "g = 1000|120",
        "s = 0|10800",
        "s = 20|1",
        "n IS NULL|3000",
        "n = 5|300",
        "a = 3 AND b = 21|240",
        "d < DATE '2024-01-11'|1200",
        "d BETWEEN DATE '2024-02-01' AND DATE '2024-02-10'|1200",
        "v LIKE 'rare%'|1200",
        "v LIKE 'odd%'|6000",
        "v < 'f'|4800",
      })
  void shouldEstimateMatchingRows(String where, double rows) {
    double expected = expected(where);
    assertEquals(rows, expected, Math.max(60, rows * 0.15), where);
  }

  @Test
  void shouldChooseMoreSelectiveIndex() {
    String few = "EXPLAIN SELECT id FROM t WHERE u < 60 AND g = 7";
    assertTrue(sql.query(few).toString().contains("T_U"), () -> sql.query(few).toString());
    String many = "EXPLAIN SELECT id FROM t WHERE u < 6000 AND g = 7";
    assertTrue(sql.query(many).toString().contains("T_G"), () -> sql.query(many).toString());
  }

  /**
   * EXPLAIN shows the plan of the text itself: the plan depends on the values and is not shared.
   */
  @Test
  void shouldNotShareWhereTheChoiceDependsOnValues() {
    Object few = plan("SELECT id FROM t WHERE u < 60 AND g = 7");
    Object many = plan("SELECT id FROM t WHERE u < 6000 AND g = 7");
    assertNotSame(few, many);
    assertTrue(few.toString().contains("T_U"), few::toString);
    assertTrue(many.toString().contains("T_G"), many::toString);
    assertSame(
        shared("SELECT id FROM t WHERE g = 7 AND a = 8"),
        shared("SELECT id FROM t WHERE g = 9 AND a = 11"));
    assertSame(
        shared("SELECT id FROM t WHERE id = 7 AND u < 8"),
        shared("SELECT id FROM t WHERE id = 9 AND u < 11"));
  }

  private String plan(String text) {
    return ((CachedStatement) sql.session().prepare(text)).physical().plan().explain().toString();
  }

  private Object shared(String text) {
    return ((CachedStatement) sql.session().prepare(text)).physical();
  }

  /** The join begins with the side that has fewer qualifying rows. */
  @Test
  void shouldJoinInTheOrderThatTheValuesSuggest() {
    String join = "EXPLAIN SELECT COUNT(*) FROM t JOIN other ON t.u = other.id WHERE ";
    List<String> left = sql.query(join + "t.id < 100 AND other.w < 6");
    List<String> right = sql.query(join + "t.u < 11000 AND other.id < 50");
    assertTrue(first(left).contains("(T["), left::toString);
    assertTrue(first(right).contains("(OTHER["), right::toString);
  }

  private static String first(List<String> plan) {
    return plan.stream()
        .filter(line -> line.contains("Scan") || line.contains("Get"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldNotKeepStatisticsOfSmallTables() {
    assertNull(table("SMALL").statistics());
    assertNotNull(table("T").statistics());
  }

  @Test
  void shouldLookAtTablesInTheBackground() {
    LocalDatabase fresh =
        DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(256L << 20));
    try {
      Sql session = new Sql(fresh);
      for (String name : List.of("one", "two")) {
        session.run("CREATE TABLE " + name + " (id INTEGER PRIMARY KEY, v INTEGER)");
        session.updateMany(
            "INSERT INTO " + name + " VALUES (?, ?)", 3_000, i -> new Object[] {i, i % 10});
      }
      session.session().commit();
      fresh.catalogOfPool().changeLock().lock();
      try {
        fresh.planInvalidator().check();
      } finally {
        fresh.catalogOfPool().changeLock().unlock();
      }
      TableEntry one = (TableEntry) fresh.catalogOfPool().state().relation("PUBLIC", "ONE");
      TableEntry two = (TableEntry) fresh.catalogOfPool().state().relation("PUBLIC", "TWO");
      assertNotNull(one.statistics());
      assertNotNull(two.statistics());
      session.run("TRUNCATE TABLE one");
      TableEntry empty = (TableEntry) fresh.catalogOfPool().state().relation("PUBLIC", "ONE");
      assertNull(empty.statistics());
    } finally {
      fresh.close();
    }
  }

  /** Statistics affect how rows are found, not which: wrong statistics give the same results. */
  @Test
  void shouldReturnSameRowsUnderAnyStatistics() {
    List<TableStatistics> known = new ArrayList<>();
    known.add(null);
    for (String name : List.of("T", "OTHER")) {
      known.add(table(name).statistics());
    }
    Random random = new Random(42);
    sql.session().setIsolation(Isolation.SNAPSHOT);
    try {
      for (int round = 0; round < 60; round++) {
        String query = query(random);
        List<String> expected = null;
        for (int choice = 0; choice < 3; choice++) {
          table("T").noteStatistics(known.get(random.nextInt(3)));
          table("OTHER").noteStatistics(known.get(random.nextInt(3)));
          List<String> rows = new ArrayList<>(sql.query(query + " ".repeat(choice)));
          Collections.sort(rows);
          expected = expected == null ? rows : expected;
          assertEquals(expected, rows, query);
        }
      }
    } finally {
      table("T").noteStatistics(known.get(1));
      table("OTHER").noteStatistics(known.get(2));
      sql.session().commit();
      sql.session().setIsolation(Isolation.SERIALIZABLE);
    }
  }

  private static String query(Random random) {
    List<String> conditions =
        new ArrayList<>(
            List.of(
                "t.u < " + random.nextInt(200),
                "t.g = other.g",
                "other.id = t.a",
                "t.n = small.k",
                "other.w = small.id",
                "t.v LIKE 'rare" + random.nextInt(10) + "%'",
                "t.s = " + 10 * random.nextInt(1_000),
                "other.id BETWEEN 10 AND " + (10 + random.nextInt(60)),
                "t.d = DATE '2024-02-01'"));
    Collections.shuffle(conditions, random);
    List<String> some = new ArrayList<>(conditions.subList(0, 2 + random.nextInt(3)));
    some.add("t.u < 2000");
    some.add("other.id < 300");
    return "SELECT COUNT(*), MIN(t.id), MAX(other.id), SUM(small.k) FROM t, other, small WHERE "
        + String.join(" AND ", some);
  }
}
