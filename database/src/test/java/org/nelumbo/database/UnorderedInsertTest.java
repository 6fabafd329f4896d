package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertConflict;
import static org.nelumbo.database.Failures.assertFails;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.error.ErrorCode;

/** Inserts of many rows at once into tables that have only a hash index. */
@Timeout(60)
class UnorderedInsertTest {
  private final DistantMemory memory = new DistantMemory();
  private Sql a;
  private Sql b;

  @BeforeEach
  void open() {
    a = memory.attachSession();
    b = memory.session();
    a.run(
        "CREATE TABLE bag (id INTEGER PRIMARY KEY, v INTEGER) WITH (ordered = false)",
        "CREATE TABLE tagged (id INTEGER PRIMARY KEY, tag INTEGER UNIQUE, v INTEGER)"
            + " WITH (ordered = false)",
        "CREATE INDEX tagged_v ON tagged (v)");
    a.session().commit();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private static String bag(int from, int to) {
    return "INSERT INTO bag VALUES " + Sql.rows(from, to, i -> i + ", 1");
  }

  private static String tagged(int from, int to) {
    return "INSERT INTO tagged VALUES " + Sql.rows(from, to, i -> i + ", " + 2 * i + ", 7");
  }

  private String count(Sql sql, String table) {
    return sql.query("SELECT COUNT(*) FROM " + table).getFirst();
  }

  private long taken(int rows, String insert) {
    long taken = a.roundTrips(() -> assertEquals(rows, a.update(insert)));
    a.session().rollback();
    return taken;
  }

  @Test
  void shouldInsertManyRowsInAFewRoundTrips() {
    a.run(
        "CREATE TABLE ordered (id INTEGER PRIMARY KEY, tag INTEGER UNIQUE, v INTEGER)",
        "CREATE INDEX ordered_v ON ordered (v)");
    // caches the segments of the indexes
    a.update(bag(1000, 1010));
    a.update(tagged(1000, 1010));
    a.update(tagged(1000, 1010).replace("tagged", "ordered"));
    a.session().commit();
    for (int rows : new int[] {1, 10, 100}) {
      long ordered = taken(rows, tagged(0, rows).replace("tagged", "ordered"));
      long unordered = taken(rows, tagged(0, rows));
      long bag = taken(rows, bag(0, rows));
      assertTrue(bag <= 16, () -> rows + " rows took " + bag + " round trips");
      assertTrue(unordered <= ordered + 4, () -> unordered + " round trips, ordered " + ordered);
    }
  }

  @Test
  void shouldRejectDuplicateKeysAndUniqueValues() {
    a.update(bag(50, 60));
    a.update(tagged(50, 60));
    a.session().commit();
    for (String insert :
        new String[] {
          bag(0, 51),
          bag(59, 100),
          "INSERT INTO bag VALUES (1, 1), (2, 1), (1, 1)",
          tagged(0, 51),
          "INSERT INTO tagged VALUES (1, 1, 1), (2, 2, 1), (3, 104, 1)"
        }) {
      assertFails(ErrorCode.UNIQUE_VIOLATION, () -> a.update(insert));
    }
    assertEquals("10", count(a, "bag"));
    assertEquals("10", count(a, "tagged"));
    a.update("DELETE FROM bag WHERE id < 55");
    assertEquals(54, a.update(bag(1, 55)));
    a.session().commit();
    assertEquals("59", count(b, "bag"));
  }

  @Test
  void shouldInsertIntoTableScannedBySameTransaction() {
    a.update(bag(0, 100));
    assertEquals("100", count(a, "bag"));
    assertEquals(100, a.update("INSERT INTO bag SELECT id + 1000, v FROM bag"));
    assertEquals("200", count(a, "bag"));
    a.session().commit();
    assertEquals("200", count(b, "bag"));
    assertEquals(50, b.update(bag(3000, 3050)));
    b.session().commit();
  }

  @Test
  void shouldPreventInsertsIntoScannedTable() {
    a.update(bag(0, 10));
    a.session().commit();
    b.session().setLockTimeout(Duration.ZERO);
    assertEquals("10", count(a, "bag"));
    assertConflict(() -> b.update(bag(100, 200)));
    b.session().rollback();
    assertEquals("10", count(a, "bag"));
    a.session().commit();
    assertEquals(100, b.update(bag(100, 200)));
    a.session().setLockTimeout(Duration.ZERO);
    assertConflict(() -> count(a, "bag"));
    a.session().rollback();
    b.session().commit();
    assertEquals("110", count(a, "bag"));
  }
}
