package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.session.Isolation;

/**
 * Round trips of foreign keys when rows are deleted or updated: the checks of many rows read their
 * rows together.
 */
@Timeout(120)
class ReferenceChangeRoundTripTest {
  private static final int ROWS = 300;

  private final DistantMemory memory = new DistantMemory();
  private Sql sql;

  @BeforeEach
  void open() {
    sql = memory.attachSession();
    sql.run(
        "CREATE TABLE alone (id INTEGER PRIMARY KEY, code INTEGER UNIQUE)",
        "CREATE TABLE apart (id INTEGER PRIMARY KEY, code INTEGER UNIQUE)",
        "CREATE TABLE other (id INTEGER PRIMARY KEY, code INTEGER)",
        "CREATE TABLE parent (id INTEGER PRIMARY KEY, code INTEGER UNIQUE)",
        "CREATE TABLE kid (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent)",
        "CREATE INDEX kid_parent ON kid (parent)",
        "CREATE TABLE named (id INTEGER PRIMARY KEY, code INTEGER UNIQUE)",
        "CREATE TABLE heir (id INTEGER PRIMARY KEY, code INTEGER REFERENCES named (code))",
        "CREATE INDEX heir_code ON heir (code)",
        "CREATE TABLE free (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)",
        "CREATE TABLE tied (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)",
        "CREATE INDEX tied_b ON tied (b)",
        "CREATE TABLE bound (id INTEGER PRIMARY KEY,"
            + " a INTEGER REFERENCES other, b INTEGER REFERENCES named (code))",
        "CREATE INDEX bound_b ON bound (b)");
    for (String table : new String[] {"alone", "apart", "other", "parent", "named"}) {
      sql.update("INSERT INTO " + table + " VALUES " + Sql.rows(0, ROWS, i -> i + ", " + 2 * i));
    }
    // no row refers to those below 200
    sql.update("INSERT INTO kid VALUES " + Sql.rows(0, 100, i -> i + ", " + (200 + i)));
    sql.update("INSERT INTO heir VALUES " + Sql.rows(0, 100, i -> i + ", " + (400 + 2 * i)));
    for (String table : new String[] {"free", "tied", "bound"}) {
      sql.update("INSERT INTO " + table + " VALUES " + Sql.rows(0, ROWS, i -> i + ", NULL, NULL"));
    }
    sql.session().commit();
    sql = memory.attachSession();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  /**
   * Asserts the additional round trips compared with the same statement on a table without foreign
   * keys. Upper levels of indexes are cached.
   */
  private void assertFewMore(int more, int rows, String statement, String without) {
    taken(1, statement.formatted(1));
    taken(1, without.formatted(1));
    long plain = taken(rows, without.formatted(rows));
    long checked = taken(rows, statement.formatted(rows));
    assertTrue(
        checked <= plain + more,
        () -> checked + " round trips, without foreign key " + plain + ": " + statement);
  }

  private long taken(int rows, String statement) {
    long taken = sql.roundTrips(() -> assertEquals(rows, sql.update(statement), statement));
    sql.session().rollback();
    return taken;
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookForReferringRowsTogether(Isolation isolation) {
    sql.session().setIsolation(isolation);
    for (int rows : new int[] {1, 10, 100}) {
      assertFewMore(5, rows, "DELETE FROM parent WHERE id < %d", "DELETE FROM alone WHERE id < %d");
      assertFewMore(5, rows, "DELETE FROM named WHERE id < %d", "DELETE FROM apart WHERE id < %d");
    }
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldReadATableWithoutIndexForManyRowsAtOnce(Isolation isolation) {
    sql.session().setIsolation(isolation);
    long scan = sql.roundTrips(() -> sql.query("SELECT COUNT(*) FROM bound WHERE b IS NULL"));
    sql.session().rollback();
    for (int rows : new int[] {1, 10, 100, 200}) {
      assertFewMore(
          (int) scan, rows, "DELETE FROM other WHERE id < %d", "DELETE FROM alone WHERE id < %d");
    }
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookForReferencedRowsTogether(Isolation isolation) {
    sql.session().setIsolation(isolation);
    for (int rows : new int[] {1, 10, 100}) {
      assertFewMore(
          8, rows, "UPDATE bound SET a = id WHERE id < %d", "UPDATE free SET a = id WHERE id < %d");
    }
  }

  /**
   * Runs statements one after the other, each announced beforehand, as {@code executeBatch} does,
   * and returns their round trips.
   */
  private long takenByBatch(int rows, String statement, IntFunction<Object[]> parameters) {
    long[] expected = new long[rows];
    Arrays.fill(expected, 1);
    long taken =
        sql.roundTrips(
            () -> assertArrayEquals(expected, sql.updateMany(statement, rows, parameters)));
    sql.session().rollback();
    return taken;
  }

  private void assertFewMore(
      int more, String statement, String without, IntFunction<Object[]> parameters) {
    takenByBatch(1, statement, parameters);
    takenByBatch(1, without, parameters);
    for (int rows : new int[] {1, 10, 100}) {
      long plain = takenByBatch(rows, without, parameters);
      long checked = takenByBatch(rows, statement, parameters);
      assertTrue(
          checked <= plain + more,
          () -> checked + " round trips, without foreign key " + plain + ": " + statement);
    }
  }

  @Test
  void shouldLookForReferringRowsOfABatchTogether() {
    assertFewMore(
        3,
        "DELETE FROM parent WHERE id = ?",
        "DELETE FROM alone WHERE id = ?",
        i -> new Object[] {i});
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookForReferencedRowsOfABatchTogether(Isolation isolation) {
    sql.session().setIsolation(isolation);
    assertFewMore(
        4,
        "UPDATE bound SET a = ? WHERE id = ?",
        "UPDATE free SET a = ? WHERE id = ?",
        i -> new Object[] {i + 10, i});
    assertFewMore(
        4,
        "UPDATE bound SET b = ? WHERE id = ?",
        "UPDATE tied SET b = ? WHERE id = ?",
        i -> new Object[] {2 * i + 20, i});
  }
}
