package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Isolation;

/** An UPDATE that sets many new unique values: its round trips and its results. */
@Timeout(120)
class UniqueRoundTripTest {
  private static final int ROWS = 300;

  private final DistantMemory memory = new DistantMemory();
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = memory.attach();
    sql = new Sql(database);
    create(sql);
    sql.close();
    database.close();
    database = memory.attach();
    sql = new Sql(database);
    sql.session().setAutoCommit(false);
  }

  private static void create(Sql sql) {
    sql.run(
        "CREATE TABLE single (id INTEGER PRIMARY KEY, a INTEGER UNIQUE, b INTEGER UNIQUE)",
        "CREATE TABLE plain (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)",
        "CREATE INDEX plain_a ON plain (a)",
        "CREATE INDEX plain_b ON plain (b)");
    for (String table : new String[] {"single", "plain"}) {
      sql.update(
          "INSERT INTO "
              + table
              + " VALUES "
              + Sql.rows(0, ROWS, i -> i + ", " + 100 * i + ", " + (1000 - i)));
    }
  }

  @AfterEach
  void close() {
    database.close();
    memory.close();
  }

  private long taken(String statement, int rows) {
    long before = sql.session().counters().roundTrips();
    assertEquals(rows, sql.update(statement), statement);
    long taken = sql.session().counters().roundTrips() - before;
    sql.session().rollback();
    return taken;
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldLookForNewValuesTogether(Isolation isolation) {
    sql.session().setIsolation(isolation);
    for (String set : new String[] {"a = a + 50", "a = a + 50, b = b + 5000"}) {
      String statement = "UPDATE %s SET " + set + " WHERE id < %d";
      taken(statement.formatted("plain", 1), 1);
      taken(statement.formatted("single", 1), 1);
      for (int rows : new int[] {1, 10, 64, ROWS}) {
        long without = taken(statement.formatted("plain", rows), rows);
        long with = taken(statement.formatted("single", rows), rows);
        int batches = (rows + 63) / 64;
        assertTrue(
            with <= without + batches,
            () -> rows + " rows: " + with + " round trips, not unique " + without);
      }
    }
  }

  /** Values that do not change require no lookups. */
  @Test
  void shouldNotLookForValuesThatAreNotChanged() {
    for (String set : new String[] {"a = a", "id = id"}) {
      String statement = "UPDATE %s SET " + set + " WHERE id < 60";
      taken(statement.formatted("plain"), 60);
      taken(statement.formatted("single"), 60);
      assertEquals(
          taken(statement.formatted("plain"), 60), taken(statement.formatted("single"), 60), set);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a = a + 100",
        "a = a - 100",
        "a = 29900 - a",
        "a = MOD(a + 700, 30000)",
        "a = b, b = a",
        "a = NULL",
        "a = CASE WHEN id < 200 THEN a + 1 ELSE NULL END, b = b + 1",
        "a = a / 200",
        "a = 7",
        "id = id + 1, a = a + 100",
        "a = a + 100 * MOD(id, 2)"
      })
  void shouldMatchResultsOfInMemoryDatabase(String set) {
    try (Database local = Sql.memory();
        Sql other = new Sql(local)) {
      create(other);
      other.session().setAutoCommit(false);
      for (String where : new String[] {" WHERE id >= 100", "", " WHERE MOD(id, 3) = 1"}) {
        String statement = "UPDATE single SET " + set + where;
        assertEquals(outcome(other, statement), outcome(sql, statement), statement);
        String query = "SELECT * FROM single ORDER BY id";
        assertEquals(other.query(query), sql.query(query), statement);
      }
      sql.session().commit();
    }
  }

  private static String outcome(Sql sql, String statement) {
    try {
      return Long.toString(sql.update(statement));
    } catch (NelumboException e) {
      return e.getMessage();
    }
  }

  @Test
  void shouldRefuseTheSecondRowWithAValue() {
    NelumboException refused =
        assertThrows(
            NelumboException.class,
            () -> sql.update("UPDATE single SET a = 17 WHERE id BETWEEN 5 AND 90"));
    assertEquals(ErrorCode.UNIQUE_VIOLATION, refused.code());
    assertEquals(List.of("0"), sql.query("SELECT COUNT(*) FROM single WHERE a = 17"));
    assertEquals(1, sql.update("UPDATE single SET a = 17 WHERE id = 5"));
    assertEquals(List.of("5"), sql.query("SELECT id FROM single WHERE a = 17"));
    sql.session().commit();
  }
}
