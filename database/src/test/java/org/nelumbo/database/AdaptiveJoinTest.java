package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins that choose their method when they run, because the planner did not know some values. */
@Timeout(120)
class AdaptiveJoinTest {
  private static final int LINES = 30_000;
  private static final int ITEMS = 2_000;
  private static final int BATCH = 1_000;

  private static Database database;
  private static Sql sql;

  @BeforeAll
  static void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE line (d INTEGER, o INTEGER, item INTEGER, PRIMARY KEY (d, o))",
        "CREATE TABLE item (id INTEGER PRIMARY KEY, kind INTEGER, name VARCHAR(10))",
        "CREATE TABLE part (item INTEGER, n INTEGER, x INTEGER, PRIMARY KEY (item, n))");
    for (int from = 0; from < LINES; from += BATCH) {
      sql.run(
          "INSERT INTO line VALUES "
              + Sql.rows(
                  from,
                  from + BATCH,
                  i -> i % 2 + ", " + i + ", " + (i % 9 == 0 ? "NULL" : i * 7 % (ITEMS + 100))));
    }
    for (int from = 0; from < ITEMS; from += BATCH) {
      sql.run(
          "INSERT INTO item VALUES "
              + Sql.rows(from, from + BATCH, i -> i + ", " + i % 5 + ", 'item " + i + "'"),
          "INSERT INTO part VALUES "
              + Sql.rows(from, from + BATCH, i -> i / 2 + ", " + i % 2 + ", " + i));
    }
    sql.run("ANALYZE TABLE line", "ANALYZE TABLE item", "ANALYZE TABLE part");
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static final List<String> JOINS =
      List.of(
          "SELECT COUNT(*), SUM(item.kind), MAX(item.name) FROM line JOIN item ON item.id ="
              + " line.item WHERE d = %s AND o >= %s AND item.kind < %s",
          "SELECT COUNT(*), COUNT(item.name), SUM(o) FROM line LEFT JOIN item"
              + " ON item.id = line.item AND item.kind < 3 WHERE d = %s AND o >= %s AND o > %s",
          "SELECT COUNT(*), SUM(o) FROM line WHERE d = %s AND o >= %s AND o > %s"
              + " AND EXISTS (SELECT 1 FROM item WHERE item.id = line.item AND kind <> 2)",
          "SELECT COUNT(*), SUM(o) FROM line WHERE d = %s AND o >= %s AND o > %s"
              + " AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = line.item AND kind <> 2)",
          "SELECT COUNT(*), SUM(x), SUM(n) FROM line JOIN part ON part.item = line.item"
              + " WHERE d = %s AND o >= %s AND x > %s",
          "SELECT o, item.name, x FROM line JOIN item ON item.id = line.item JOIN part ON part.item"
              + " = item.id WHERE d = %s AND o >= %s AND kind = %s ORDER BY o, x LIMIT 7");

  private static String markers(String join) {
    return join.formatted("?", "?", "?");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void shouldChooseWhenItRuns(int number) {
    List<String> plan = sql.query("EXPLAIN " + markers(JOINS.get(number)), 0, 0, 0);
    assertTrue(plan.stream().anyMatch(line -> line.contains("AdaptiveJoin(")), plan::toString);
  }

  @Test
  void shouldNotChooseIfAllValuesAreKnown() {
    List<String> plan = sql.query("EXPLAIN " + JOINS.getFirst().formatted(0, 0, 4));
    assertFalse(plan.toString().contains("AdaptiveJoin("), plan::toString);
  }

  /** Statements with the values as literals have plans for these values. */
  @RepeatedTest(60)
  void shouldReturnTheRowsOfAPlanForKnownValues(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    String join = JOINS.get(random.nextInt(JOINS.size()));
    int few = random.nextInt(40);
    int from = random.nextBoolean() ? LINES - few : random.nextInt(LINES + 1);
    int third = random.nextInt(6);
    int d = random.nextInt(3);
    List<String> known = sql.query(join.formatted(d, from, third));
    assertEquals(known, sql.query(markers(join), d, from, third), () -> join + " from=" + from);
  }

  @Test
  void shouldReadRowsOnlyOnce() {
    String join = markers(JOINS.getFirst());
    List<String> many = sql.query("EXPLAIN ANALYZE " + join, 0, 0, 4);
    List<String> few = sql.query("EXPLAIN ANALYZE " + join, 0, LINES - 20, 4);
    assertTrue(line(many, "LookupJoin(").contains("opens=0"), many::toString);
    assertTrue(line(few, "HashJoin(").contains("opens=0"), few::toString);
    assertTrue(line(few, "Scan(LINE").contains("rows=10 "), few::toString);
  }

  private static String line(List<String> plan, String part) {
    return plan.stream().filter(line -> line.contains(part)).findFirst().orElseThrow();
  }

  /** Only a join that hashes locks the whole table. */
  @Test
  void shouldLockOnlyTheRowsThatAreLookedUp() {
    try (Sql reader = Sql.transactions(database);
        Sql writer = Sql.transactions(database)) {
      reader.query(markers(JOINS.getFirst()), 0, LINES - 20, 4);
      assertEquals(1, writer.update("UPDATE item SET name = 'new' WHERE id = 1"));
      writer.session().rollback();
      reader.session().rollback();
    }
  }
}
