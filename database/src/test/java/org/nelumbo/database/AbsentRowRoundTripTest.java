package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertConflict;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.Savepoint;
import org.nelumbo.session.StatementExecution;

/**
 * Proves that many keys without a row are looked up together, and that the lookup is not repeated.
 */
@Timeout(60)
class AbsentRowRoundTripTest {
  private static final int ROWS = 300;

  private final DistantMemory memory = new DistantMemory();
  private Sql a;
  private Sql b;

  @BeforeEach
  void open() {
    a = memory.attachSession();
    b = memory.session();
    a.run(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, v INTEGER)",
        "CREATE TABLE sale (id INTEGER PRIMARY KEY, item INTEGER)");
    a.update("INSERT INTO item VALUES " + Sql.rows(1000, 1000 + ROWS, i -> i + ", 1"));
    a.update("INSERT INTO sale VALUES " + Sql.rows(0, ROWS, i -> i + ", " + i));
    a.session().commit();
    a.query("SELECT COUNT(*) FROM sale WHERE item >= 0");
    a.session().commit();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private static void assertFew(long most, long taken) {
    assertTrue(taken <= most, () -> "took " + taken + " round trips, not " + most);
  }

  /** Updates rows as {@code executeBatch} does. */
  private static void updateAll(Sql sql, int from, int to, int expected) {
    long[] counts =
        sql.updateMany(
            "UPDATE item SET v = v + 1 WHERE id = ?", to - from, i -> new Object[] {from + i});
    assertTrue(Arrays.stream(counts).allMatch(count -> count == expected));
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookOnceForTheMissingRowsOfABatch(Isolation isolation) {
    a.session().setIsolation(isolation);
    for (int rows : new int[] {1, 10, 100}) {
      assertEquals(1, a.query("SELECT v FROM item WHERE id = 1000").size());
      assertFew(1, a.roundTrips(() -> updateAll(a, 0, rows, 0)));
      a.session().rollback();
    }
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookOnceForTheMissingRowsOfSubqueries(Isolation isolation) {
    a.session().setIsolation(isolation);
    String query =
        "SELECT COUNT(*) FROM sale s WHERE s.id < %d"
            + " AND (SELECT SUM(i.v) FROM item i WHERE i.id = s.item) IS NULL";
    String list = query.replace("i.id = s.item", "i.id IN (s.item, s.item + 500)");
    for (String each : new String[] {query, list}) {
      for (int rows : new int[] {1, 10, 100}) {
        assertFew(
            8,
            a.roundTrips(
                () ->
                    assertEquals(
                        Integer.toString(rows), a.query(each.formatted(rows)).getFirst())));
        a.session().rollback();
      }
    }
  }

  /** A snapshot still reads the deleted rows, so that garbage collection does not remove them. */
  @Test
  void shouldLookOnceForRowsThatWereDeleted() {
    Sql reader = memory.session();
    reader.session().setIsolation(Isolation.SNAPSHOT);
    assertEquals(1, reader.query("SELECT v FROM item WHERE id = 1000").size());
    b.update("DELETE FROM item WHERE id >= 1000 AND id < 1100");
    b.session().commit();
    assertEquals(1, a.query("SELECT v FROM item WHERE id = 1200").size());
    assertFew(1, a.roundTrips(() -> updateAll(a, 1000, 1100, 0)));
    a.session().rollback();
    String keys =
        IntStream.range(1000, 1100).mapToObj(Integer::toString).collect(Collectors.joining(", "));
    String query = "SELECT COUNT(*) FROM item WHERE id IN (" + keys + ")";
    assertFew(2, a.roundTrips(() -> assertEquals("0", a.query(query).getFirst())));
    reader.close();
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldFindRowsCommittedAfterLookup(Isolation isolation) {
    a.session().setIsolation(isolation);
    try (StatementExecution execution =
        a.session().newExecution(a.session().prepare("UPDATE item SET v = v + 1 WHERE id = ?"))) {
      a.query("SELECT 1 FROM item WHERE id = 1000");
      for (int id = 0; id < 10; id++) {
        Sql.set(execution, id);
        assertTrue(execution.hint());
      }
      for (int id = 0; id < 10; id++) {
        if (id == 5) {
          assertEquals(2, b.update("INSERT INTO item VALUES (7, 0), (8, 0)"));
          b.session().commit();
          assertEquals(1, b.update("DELETE FROM item WHERE id = 8"));
          b.session().commit();
        }
        Sql.set(execution, id);
        if (id == 7 && isolation == Isolation.SNAPSHOT) {
          assertConflict(execution::executeUpdate);
          a.session().rollback();
        }
        assertEquals(id == 7 ? 1 : 0, execution.executeUpdate(), "id=" + id);
      }
    }
    a.session().rollback();
  }

  @Test
  void shouldFindRowsThatTheTransactionInsertsAfterItLookedForThem() {
    updateAll(a, 0, 10, 0);
    a.update("INSERT INTO item VALUES " + Sql.rows(0, 10, i -> i + ", 1"));
    updateAll(a, 0, 10, 1);
    Savepoint before = a.session().setSavepoint(null);
    assertEquals(10, a.update("DELETE FROM item WHERE id < 10"));
    updateAll(a, 0, 10, 0);
    a.session().rollbackTo(before);
    updateAll(a, 0, 10, 1);
    a.session().commit();
    assertEquals("30", b.query("SELECT SUM(v) FROM item WHERE id < 10").getFirst());
    b.session().commit();
  }
}
