package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.session.Isolation;

/**
 * Round trips of joins that read a range of an index, or open their right side, for each left row:
 * they grow with the number of batches of left rows, not with the number of left rows.
 */
@Timeout(120)
class JoinRoundTripTest {
  private static final int PARENTS = 200;
  private static final int CHILDREN = 7;

  private final DistantMemory memory = new DistantMemory();
  private Sql sql;

  @BeforeEach
  void open() {
    sql = memory.attachSession();
    sql.run(
        "CREATE TABLE parent (id INTEGER PRIMARY KEY, tag INTEGER)",
        "CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER, v INTEGER)",
        "CREATE INDEX child_parent ON child (parent)",
        "CREATE TABLE line (o INTEGER, n INTEGER, v INTEGER, PRIMARY KEY (o, n))",
        "CREATE TABLE wide (a INTEGER, b INTEGER, c INTEGER, PRIMARY KEY (a, b, c))");
    sql.update("INSERT INTO parent VALUES " + Sql.rows(0, PARENTS, i -> i + ", " + i % 3));
    int children = PARENTS * CHILDREN;
    sql.update(
        "INSERT INTO child VALUES " + Sql.rows(0, children, i -> i + ", " + i % PARENTS + ", 1"));
    sql.update(
        "INSERT INTO line VALUES "
            + Sql.rows(0, children, i -> i / CHILDREN + ", " + i % CHILDREN + ", 1"));
    sql.update(
        "INSERT INTO wide VALUES " + Sql.rows(0, 2 * PARENTS, i -> i / 2 + ", " + i % 2 + ", 0"));
    sql.session().commit();
    sql = memory.attachSession();
    // inner nodes and directories are cached
    count("SELECT COUNT(*) FROM parent p JOIN child c ON c.parent = p.id WHERE p.id > 198");
    count("SELECT COUNT(*) FROM parent p JOIN line l ON l.o = p.id WHERE p.id > 198");
    count("SELECT COUNT(*) FROM child WHERE id > 1398");
    count("SELECT COUNT(*) FROM wide WHERE a > 198");
    sql.session().commit();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private long count(String query) {
    return Long.parseLong(sql.query(query).getFirst());
  }

  private long roundTrips(long expected, String query) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) { // a concurrent sampling of the tables happens once
      long taken = sql.roundTrips(() -> assertEquals(expected, count(query), query));
      sql.session().commit();
      least = Math.min(least, taken);
    }
    return least;
  }

  private long roundTripsOf(long expected, String update) {
    return sql.roundTrips(() -> assertEquals(expected, sql.update(update), update));
  }

  private void assertFew(long most, long taken, String query) {
    assertTrue(taken <= most, () -> "took " + taken + " round trips, not " + most + ": " + query);
  }

  /**
   * Asserts the round trips for batches of 8, 16, 32 and 64 left rows. The left side reads a leaf,
   * then the CVTs with their records for each batch. For each batch the right side reads leaves,
   * possibly a second leaf for some rows, and CVTs with their records.
   */
  private void assertFewFor(String query, int rowsEach) {
    assertFew(4, roundTrips(rowsEach, query.formatted(1)), query);
    assertFew(7, roundTrips(10L * rowsEach, query.formatted(10)), query);
    assertFew(12, roundTrips(100L * rowsEach, query.formatted(100)), query);
  }

  private void begin(Isolation isolation) {
    sql.session().setIsolation(isolation);
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldJoinByAnIndexInBatches(Isolation isolation) {
    begin(isolation);
    assertFewFor(
        "SELECT SUM(c.v) FROM parent p JOIN child c ON c.parent = p.id WHERE p.id < %d", CHILDREN);
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldJoinByAPartOfThePrimaryKeyInBatches(Isolation isolation) {
    begin(isolation);
    assertFewFor(
        "SELECT SUM(l.v) FROM parent p JOIN line l ON l.o = p.id WHERE p.id < %d", CHILDREN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(c.id) FROM parent p LEFT JOIN child c ON c.parent = p.id AND c.v = 1"
            + " WHERE p.id < %d",
        "SELECT SUM(c.v) FROM parent p JOIN child c ON c.parent = p.id AND c.id >= p.id"
            + " WHERE p.id < %d",
        "SELECT SUM(l.v) FROM parent p JOIN line l ON l.o = p.id AND l.n >= 0 WHERE p.id < %d"
      })
  void shouldJoinWithFurtherConditionsInBatches(String query) {
    sql.session().setReadOnly(true);
    assertFewFor(query, CHILDREN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM parent p WHERE p.id < %d"
            + " AND EXISTS (SELECT 1 FROM child c WHERE c.parent = p.id)",
        "SELECT COUNT(*) FROM parent p WHERE p.id < %d"
            + " AND EXISTS (SELECT 1 FROM child c WHERE c.parent = p.id AND c.v = 1)",
        "SELECT COUNT(*) FROM parent p WHERE p.id < %d"
            + " AND NOT EXISTS (SELECT 1 FROM child c WHERE c.parent = p.id AND c.v = 2)",
        "SELECT COUNT(*) FROM parent p WHERE p.id < %d"
            + " AND p.id IN (SELECT l.o FROM line l WHERE l.o = p.id AND l.n < 2)",
        "SELECT COUNT(*) FROM parent p WHERE p.id < %d"
            + " AND EXISTS (SELECT 1 FROM wide w WHERE w.a = p.id AND w.b IN (0, 1, 9))",
        "SELECT COUNT(*) FROM parent p WHERE p.id < %d"
            + " AND 2 = (SELECT COUNT(*) FROM wide w WHERE w.a = p.id AND w.b IN (0, 1, 9))",
        "SELECT COUNT(*) FROM parent p WHERE p.id < %d"
            + " AND 7 = (SELECT SUM(c.v) FROM child c WHERE c.parent = p.id)",
      })
  void shouldEvaluateSubqueriesInBatches(String query) {
    assertFewFor(query, 1);
  }

  @Test
  void shouldBeginSubqueriesThatJoinInBatches() {
    String query =
        "SELECT COUNT(*) FROM parent p WHERE p.id < 100"
            + " AND 2 = (SELECT COUNT(*) FROM line l JOIN parent q ON q.id = l.o"
            + " WHERE l.o = p.id AND l.n < 2 AND q.tag < 3)";
    assertFew(26, roundTrips(100, query), query);
  }

  @Test
  void shouldFetchRowsOfSubqueriesInBatches() {
    String query =
        "SELECT COUNT(*) FROM parent p WHERE p.id < 100"
            + " AND 1 = (SELECT SUM(l.v) FROM line l WHERE l.o = p.id AND l.n = 1)";
    assertFew(40, roundTrips(100, query), query);
    String keys = query.replace("1 = (", "2 = (").replace("l.n = 1", "l.n IN (1, 2)");
    assertFew(40, roundTrips(100, keys), keys);
  }

  @Test
  void shouldJoinThreeTablesInBatches() {
    String query =
        "SELECT SUM(l.v) FROM parent p JOIN child c ON c.parent = p.id"
            + " JOIN line l ON l.o = c.parent AND l.n = 0 JOIN line m ON m.o = l.o"
            + " WHERE p.id < %d";
    long rows = CHILDREN * CHILDREN;
    assertFew(44, roundTrips(10 * rows, query.formatted(10)), query);
    assertFew(140, roundTrips(100 * rows, query.formatted(100)), query);
  }

  @Test
  void shouldReadListsOfIndexValuesInBatches() {
    String list =
        IntStream.range(0, 30).mapToObj(i -> "" + 3 * i).collect(Collectors.joining(", "));
    String where = " WHERE o IN (" + list + ")";
    assertFew(12, roundTrips(30 * CHILDREN, "SELECT SUM(v) FROM line" + where), where);
    for (String change : List.of("UPDATE line SET v = 1" + where, "DELETE FROM line" + where)) {
      assertFew(6, roundTripsOf(30 * CHILDREN, change), change);
      sql.session().commit();
    }
  }

  @Test
  void shouldChangeTheRowsOfAJoinWithoutReadingThemAgain() {
    String update =
        "UPDATE child SET v = v + 1 WHERE id < 100"
            + " AND EXISTS (SELECT 1 FROM line l WHERE l.o = child.id)";
    assertFew(30, roundTripsOf(100, update), update);
  }

  @Test
  void shouldNotReadManyRowsForTheFirst() {
    long before = sql.session().counters().bytesIn();
    sql.query(
        "SELECT p.id FROM parent p JOIN child c ON c.parent = p.id ORDER BY p.id"
            + " FETCH FIRST 1 ROWS ONLY");
    long bytes = sql.session().counters().bytesIn() - before;
    assertTrue(bytes < 60_000, "bytes=" + bytes);
  }

  @Test
  void shouldCountTheSameRowsWhenAnalysed() {
    List<String> lines =
        sql.query(
            "EXPLAIN ANALYZE SELECT p.id FROM parent p JOIN child c ON c.parent = p.id"
                + " WHERE p.id < 10");
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("CHILD_PARENT") && line.contains("rows=70")),
        () -> String.join("\n", lines));
  }
}
