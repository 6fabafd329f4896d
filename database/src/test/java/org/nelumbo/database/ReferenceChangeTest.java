package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.database.Failures.assertConflict;
import static org.nelumbo.database.Failures.assertFails;

import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.StatementExecution;

/**
 * Foreign keys when one statement deletes or updates many rows: the changes they permit and refuse.
 */
@Timeout(120)
class ReferenceChangeTest {
  private static final int PARENTS = 150;

  private final DistantMemory memory = new DistantMemory();
  private Database near;
  private Sql a;
  private Sql b;

  @BeforeEach
  void open() {
    near = Sql.memory();
    connect(memory.attach());
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    near.close();
    memory.close();
  }

  private void connect(Database database) {
    a = Sql.transactions(database);
    b = Sql.transactions(database);
    a.run(
        "CREATE TABLE parent (id INTEGER PRIMARY KEY, code VARCHAR(10) UNIQUE, v INTEGER)",
        "CREATE TABLE kid (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent)",
        "CREATE INDEX kid_parent ON kid (parent)",
        "CREATE TABLE heir (id INTEGER PRIMARY KEY, code VARCHAR(20) REFERENCES parent (code))",
        "INSERT INTO parent VALUES " + Sql.rows(0, PARENTS, i -> i + ", 'c" + i + "', 0"));
    a.session().commit();
  }

  /** Makes conflicts fail at once, without waiting. */
  private void waitForNobody() {
    a.session().setLockTimeout(Duration.ZERO);
    b.session().setLockTimeout(Duration.ZERO);
  }

  /** Runs a test on a remote pool, where checks prefetch rows, and on a pool in this process. */
  private void onBoth(Consumer<Isolation> test, Isolation isolation) {
    test.accept(isolation);
    a.close();
    b.close();
    connect(near);
    test.accept(isolation);
  }

  private static void assertReferred(Runnable statement) {
    assertFails(ErrorCode.FOREIGN_KEY_VIOLATION, statement);
  }

  private long parents() {
    return Long.parseLong(a.query("SELECT COUNT(*) FROM parent").getFirst());
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldNotDeleteRowsIfOneIsReferredTo(Isolation level) {
    onBoth(
        isolation -> {
          a.session().setIsolation(isolation);
          for (int referred : new int[] {0, 63, 64, PARENTS - 1}) {
            a.update("INSERT INTO kid VALUES (1, " + referred + "), (2, NULL)");
            assertReferred(() -> a.update("DELETE FROM parent"));
            a.update("UPDATE kid SET parent = NULL WHERE id = 1");
            a.update("INSERT INTO heir VALUES (1, 'c" + referred + "'), (3, NULL)");
            assertReferred(() -> a.update("DELETE FROM parent"));
            assertEquals(PARENTS - 1, a.update("DELETE FROM parent WHERE id <> " + referred));
            assertReferred(() -> a.update("DELETE FROM parent"));
            a.update("DELETE FROM heir");
            assertEquals(1, a.update("DELETE FROM parent"));
            a.session().rollback();
            assertEquals(PARENTS, parents());
            a.session().rollback();
          }
        },
        level);
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldDeleteParentsAfterOwnDeleteOfReferencingRows(Isolation level) {
    onBoth(
        isolation -> {
          a.session().setIsolation(isolation);
          a.update("INSERT INTO kid VALUES " + Sql.rows(0, PARENTS, i -> i + ", " + i));
          a.update("INSERT INTO heir VALUES " + Sql.rows(0, PARENTS, i -> i + ", 'c" + i + "'"));
          a.session().commit();
          a.update("DELETE FROM kid");
          a.update("DELETE FROM heir WHERE id <> 77");
          assertReferred(() -> a.update("DELETE FROM parent"));
          a.update("UPDATE heir SET code = NULL");
          assertEquals(PARENTS, a.update("DELETE FROM parent"));
          a.session().commit();
          assertEquals(0, parents());
          assertReferred(() -> a.update("INSERT INTO kid VALUES (1, 1)"));
          a.session().rollback();
        },
        level);
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldRejectBulkUpdateThatBreaksOneReference(Isolation level) {
    onBoth(
        isolation -> {
          a.session().setIsolation(isolation);
          a.update("INSERT INTO kid VALUES " + Sql.rows(0, PARENTS, i -> i + ", " + i));
          a.update("INSERT INTO heir VALUES " + Sql.rows(0, PARENTS, i -> i + ", 'c" + i + "'"));
          a.session().commit();
          assertReferred(() -> a.update("UPDATE kid SET parent = parent + 1"));
          assertReferred(() -> a.update("UPDATE heir SET code = code || '0'"));
          assertEquals(PARENTS - 1, a.update("UPDATE kid SET parent = parent + 1 WHERE id < 149"));
          assertEquals(PARENTS, a.update("UPDATE heir SET code = 'c3' WHERE id >= 0"));
          a.session().commit();
          assertEquals("1", a.query("SELECT COUNT(*) FROM kid WHERE parent = 1").getFirst());
          assertReferred(() -> a.update("UPDATE parent SET id = id + 1000"));
          assertReferred(() -> a.update("UPDATE parent SET code = code || 'x'"));
          assertEquals(PARENTS - 1, a.update("UPDATE parent SET code = 'd' || code WHERE id <> 3"));
          assertEquals(1, a.update("UPDATE parent SET id = 1000 WHERE id = 0"));
          a.session().commit();
        },
        level);
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldCompareAllColumnsOfAForeignKey(Isolation level) {
    onBoth(
        isolation -> {
          a.run(
              "CREATE TABLE wide (x INTEGER PRIMARY KEY, y INTEGER, UNIQUE (x, y))",
              "CREATE TABLE pair (x INTEGER, y INTEGER, PRIMARY KEY (x, y))",
              "CREATE TABLE one (x INTEGER PRIMARY KEY, y INTEGER,"
                  + " FOREIGN KEY (x, y) REFERENCES wide (x, y))",
              "CREATE TABLE two (x INTEGER PRIMARY KEY, y INTEGER,"
                  + " FOREIGN KEY (x, y) REFERENCES pair (x, y))");
          a.session().setIsolation(isolation);
          a.update("INSERT INTO wide VALUES (1, 5), (2, 5)");
          assertReferred(() -> a.update("INSERT INTO one VALUES (1, 6)"));
          a.update("INSERT INTO one VALUES (1, 5)");
          a.update("INSERT INTO pair VALUES (1, 5), (1, 6), (2, 5)");
          a.update("INSERT INTO two VALUES (1, 5)");
          assertReferred(() -> a.update("DELETE FROM pair"));
          assertEquals(2, a.update("DELETE FROM pair WHERE x <> 1 OR y <> 5"));
          a.session().commit();
        },
        level);
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldPreventReferencesToDeletedRows(Isolation isolation) {
    waitForNobody();
    a.session().setIsolation(isolation);
    b.session().setIsolation(isolation);
    assertEquals(100, a.update("DELETE FROM parent WHERE id < 100"));
    assertConflict(() -> b.update("INSERT INTO kid VALUES (1, 70)"));
    b.session().rollback();
    assertConflict(() -> b.update("INSERT INTO heir VALUES (1, 'c99')"));
    b.session().rollback();
    a.session().commit();
    assertReferred(() -> b.update("INSERT INTO kid VALUES (1, 70)"));
    assertReferred(() -> b.update("INSERT INTO heir VALUES (1, 'c99')"));
    b.session().rollback();
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldSeeRowsThatCameToReferAfterTheSnapshot(Isolation isolation) {
    waitForNobody();
    String query = "SELECT p.v, (SELECT COUNT(*) FROM kid k WHERE k.parent = p.id) FROM parent p";
    a.session().setIsolation(isolation);
    assertEquals(1, a.query("SELECT id FROM heir UNION SELECT 5 FROM parent").size());
    if (isolation == Isolation.SERIALIZABLE) {
      a.session().commit();
    }
    b.update("INSERT INTO kid VALUES (1, 70)");
    b.session().commit();
    try (StatementExecution open = a.session().newExecution(a.session().prepare(query))) {
      open.executeQuery();
      open.next();
      ErrorCode expected =
          isolation == Isolation.SNAPSHOT
              ? ErrorCode.SERIALIZATION_FAILURE
              : ErrorCode.FOREIGN_KEY_VIOLATION;
      String delete =
          "DELETE FROM parent WHERE id < 100"
              + " AND 2 > (SELECT COUNT(*) FROM kid k WHERE k.parent = parent.id)";
      assertFails(expected, () -> a.update(delete));
    }
    a.session().rollback();
    b.update("DELETE FROM kid");
    b.update("INSERT INTO heir VALUES (1, 'c70')");
    assertConflict(() -> a.update("DELETE FROM parent WHERE id < 100"));
    a.session().rollback();
    b.session().commit();
    assertReferred(() -> a.update("DELETE FROM parent WHERE id < 100"));
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void shouldCheckRowsOfTheSameTableWhenAllAreChanged(Isolation level) {
    onBoth(
        isolation -> {
          a.run(
              "CREATE TABLE up (id INTEGER PRIMARY KEY, next INTEGER REFERENCES up)",
              "CREATE TABLE down (id INTEGER PRIMARY KEY, next INTEGER REFERENCES down)",
              "CREATE INDEX down_next ON down (next)");
          a.session().setIsolation(isolation);
          for (String table : new String[] {"up", "down"}) {
            a.update("INSERT INTO " + table + " VALUES " + Sql.rows(0, 100, i -> i + ", NULL"));
            a.update("UPDATE " + table + " SET next = id + 1 WHERE id < 99");
            assertEquals(100, a.update("DELETE FROM " + table));
            a.update("INSERT INTO " + table + " VALUES " + Sql.rows(0, 100, i -> i + ", NULL"));
            a.update("UPDATE " + table + " SET next = id - 1 WHERE id > 0");
            String some = "DELETE FROM " + table + " WHERE id < 50";
            assertReferred(() -> a.update(some));
            assertEquals(100, a.update("DELETE FROM " + table));
            a.session().commit();
          }
        },
        level);
  }
}
