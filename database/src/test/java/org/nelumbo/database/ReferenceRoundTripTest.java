package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Isolation;

/** Proves that the foreign keys of many rows of one INSERT are looked up together. */
@Timeout(60)
class ReferenceRoundTripTest {
  private static final int ROWS = 60;

  private final DistantMemory memory = new DistantMemory();
  private Sql sql;

  @BeforeEach
  void open() {
    sql = memory.attachSession();
    sql.run(
        "CREATE TABLE item (id INTEGER PRIMARY KEY, name INTEGER UNIQUE)",
        "CREATE TABLE free (id INTEGER PRIMARY KEY, item INTEGER)",
        "CREATE TABLE bound (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item)",
        "CREATE TABLE named (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item (name))");
    sql.update("INSERT INTO item VALUES " + Sql.rows(0, 2 * ROWS, i -> i + ", " + (1000 + i)));
    // caches the path to the rows, but not these rows
    for (String table : new String[] {"free", "bound"}) {
      sql.update("INSERT INTO " + table + " VALUES (1000, " + ROWS + ")");
    }
    sql.update("INSERT INTO named VALUES (1000, " + (1000 + ROWS) + ")");
    sql.session().commit();
    sql = memory.attachSession();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookUpReferencedRowsTogether(Isolation isolation) {
    sql.session().setIsolation(isolation);
    long free = taken("free", 0);
    long bound = taken("bound", 0);
    long named = taken("named", 1000);
    assertTrue(bound <= free + 6, "took " + bound + " round trips, " + free + " without check");
    assertTrue(named <= free + 10, "took " + named + " round trips, " + free + " without check");
  }

  private long taken(String table, int offset) {
    sql.update("INSERT INTO " + table + " VALUES (2000, " + (offset + ROWS) + ")");
    String many = Sql.rows(0, ROWS, i -> i + ", " + (offset + i));
    String insert = "INSERT INTO " + table + " VALUES " + many;
    long taken = sql.roundTrips(() -> assertEquals(ROWS, sql.update(insert)));
    sql.session().rollback();
    return taken;
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldRejectInsertIfOneReferencedRowIsMissing(Isolation isolation) {
    sql.session().setIsolation(isolation);
    for (int missing : new int[] {0, 7, ROWS - 1}) {
      String many =
          Sql.rows(0, ROWS, i -> i + ", " + (i == missing ? "5000" : i % 9 == 8 ? "NULL" : i));
      assertFails(
          ErrorCode.FOREIGN_KEY_VIOLATION, () -> sql.update("INSERT INTO bound VALUES " + many));
      assertEquals("1", sql.query("SELECT COUNT(*) FROM bound").getFirst());
    }
    sql.update("DELETE FROM item WHERE id = 3");
    String many = Sql.rows(0, ROWS, i -> i + ", " + i);
    assertThrows(NelumboException.class, () -> sql.update("INSERT INTO bound VALUES " + many));
    sql.update("INSERT INTO item VALUES (3, 3)");
    assertEquals(ROWS, sql.update("INSERT INTO bound VALUES " + many));
    sql.session().commit();
  }
}
