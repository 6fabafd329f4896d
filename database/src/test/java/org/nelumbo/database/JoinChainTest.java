package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains of tables, each of which refers to the next, with a condition on the last one. */
@Timeout(120)
class JoinChainTest {
  private static final int TABLES = 24;
  private static final int ROWS = 40;

  private static Database database;
  private static Sql sql;

  @BeforeAll
  static void open() {
    database = Sql.memory();
    sql = new Sql(database);
    for (int t = 0; t < TABLES; t++) {
      sql.run(
          "CREATE TABLE t" + t + " (id INTEGER PRIMARY KEY, next INTEGER, v INTEGER)",
          "CREATE INDEX t" + t + "_next ON t" + t + " (next)",
          "INSERT INTO t" + t + " VALUES " + Sql.rows(0, ROWS, i -> i + ", " + i + ", " + i % 7));
    }
  }

  @AfterAll
  static void close() {
    database.close();
  }

  /** Returns a join of the tables in the order of their numbers, the worst order. */
  private static String chain(int tables, String condition) {
    String from =
        IntStream.range(0, tables).mapToObj(t -> "t" + t).collect(Collectors.joining(", "));
    String joins =
        IntStream.range(1, tables)
            .mapToObj(t -> "t" + (t - 1) + ".next = t" + t + ".id")
            .collect(Collectors.joining(" AND "));
    return " FROM " + from + " WHERE " + joins + " AND " + condition;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 10, 11, TABLES})
  void shouldBeginWhereTheKeyIsKnown(int tables) {
    String query = chain(tables, "t" + (tables - 1) + ".id = 7");
    List<String> plan = sql.query("EXPLAIN PLAN FOR SELECT t0.v" + query);
    String first = plan.stream().filter(line -> line.contains("PointGet(")).findFirst().orElse("");
    assertTrue(first.contains("T" + (tables - 1) + "[ID = 7]"), () -> String.join("\n", plan));
    assertEquals(List.of("0"), sql.query("SELECT t0.v" + query));
  }

  @Test
  void shouldUseConditionCommonToAllOrBranchesAsJoinKey() {
    String query =
        "SELECT t0.id FROM t0, t1 WHERE (t0.next = t1.id AND t0.v = 1 AND t1.v = 1)"
            + " OR (t0.next = t1.id AND t0.v = 2 AND t1.v = 3)"
            + " OR (t1.id = 5 AND t0.next = t1.id)";
    List<String> plan = sql.query("EXPLAIN PLAN FOR " + query);
    assertTrue(plan.stream().noneMatch(line -> line.contains("NestedLoopJoin")), plan::toString);
    assertEquals(List.of("1", "5", "8", "15", "22", "29", "36"), sql.query(query + " ORDER BY 1"));
  }

  @Test
  void shouldPropagateConstantToEqualColumn() {
    String query = "SELECT t0.id FROM t0, t1 WHERE t0.next = t1.next AND t0.next = 3";
    List<String> plan = sql.query("EXPLAIN PLAN FOR " + query);
    assertTrue(plan.stream().allMatch(line -> !line.contains("Scan(T0)")), plan::toString);
    assertTrue(plan.stream().allMatch(line -> !line.contains("Scan(T1)")), plan::toString);
    assertEquals(List.of("3"), sql.query(query));
  }

  /** Both tables read the same range of the join column, because their columns are equal. */
  @Test
  void shouldPropagateRangeToEqualColumn() {
    for (String table : List.of("left_side", "right_side")) {
      sql.run(
          "CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, k INTEGER)",
          "CREATE INDEX " + table + "_k ON " + table + " (k)",
          "INSERT INTO " + table + " VALUES " + Sql.rows(0, 4000, i -> i + ", " + i),
          "ANALYZE TABLE " + table);
    }
    String query =
        "SELECT COUNT(*) FROM left_side JOIN right_side ON left_side.k = right_side.k"
            + " WHERE left_side.k >= 1000 AND left_side.id < 3900";
    List<String> plan = sql.query("EXPLAIN PLAN FOR " + query);
    String text = String.join("\n", plan);
    assertTrue(text.contains("LEFT_SIDE_K[K >= 1000]"), text);
    assertTrue(text.contains("RIGHT_SIDE_K[K >= 1000]"), text);
    assertEquals(List.of("2900"), sql.query(query));
  }

  @Test
  void shouldCompareColumnsThatEqualAThirdOne() {
    String query =
        "SELECT t0.id, t1.id FROM t0, t1, t2 WHERE t0.next = t1.next AND t1.next = t2.next"
            + " AND t0.id = 3 AND t2.id = ";
    List<String> plan = sql.query("EXPLAIN PLAN FOR " + query + 3);
    assertTrue(
        plan.stream()
            .anyMatch(line -> line.contains("T0.NEXT = T2.NEXT") || line.contains("T2.NEXT = T0")),
        plan::toString);
    assertEquals(List.of("3 3"), sql.query(query + 3));
    assertEquals(List.of(), sql.query(query + 4));
  }
}
