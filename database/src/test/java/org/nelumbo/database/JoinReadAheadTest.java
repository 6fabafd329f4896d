package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.database.Failures.assertConflict;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.Savepoint;
import org.nelumbo.session.StatementExecution;

/** Isolation of joins that prefetch rows: the rows they read, and the changes they prevent. */
@Timeout(60)
class JoinReadAheadTest {
  private static final int PARENTS = 100;
  private static final String JOIN =
      "SELECT p.id, c.id FROM parent p JOIN child c ON c.parent = p.id WHERE p.id < 50"
          + " ORDER BY p.id, c.id";

  /** A join that reads its left rows in any order. */
  private static final String UNSORTED =
      "SELECT p.id, c.v FROM parent p JOIN child c ON c.parent = p.id WHERE p.id < 50";

  private static final String CHILDLESS =
      "SELECT p.id FROM parent p WHERE p.id < 50"
          + " AND NOT EXISTS (SELECT 1 FROM child c WHERE c.parent = p.id) ORDER BY p.id";

  private final DistantMemory memory = new DistantMemory();
  private Sql a;
  private Sql b;

  @BeforeEach
  void open() {
    a = memory.attachSession();
    b = memory.session();
    // conflicts fail at once, without waiting
    a.session().setLockTimeout(Duration.ZERO);
    b.session().setLockTimeout(Duration.ZERO);
    a.run(
        "CREATE TABLE parent (id INTEGER PRIMARY KEY, tag INTEGER)",
        "CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER, v INTEGER)",
        "CREATE INDEX child_parent ON child (parent)");
    a.update("INSERT INTO parent VALUES " + Sql.rows(0, PARENTS, i -> i + ", 0"));
    // each parent has children, except for the even ones below 20
    for (int from = 0; from < 3 * PARENTS; from += PARENTS) {
      for (int i = 0; i < PARENTS; i++) {
        if (i >= 20 || i % 2 == 1) {
          a.update("INSERT INTO child VALUES (" + (from + i) + ", " + i + ", 0)");
        }
      }
    }
    a.session().commit();
  }

  @AfterEach
  void close() {
    memory.close();
  }

  private static List<String> childless() {
    return IntStream.range(0, 10).mapToObj(i -> Integer.toString(2 * i)).toList();
  }

  @Test
  void shouldPreventPhantomsInJoin() {
    assertEquals(40 * 3, a.query(JOIN).size());
    assertConflict(() -> b.update("INSERT INTO child VALUES (1000, 33, 0)"));
    b.session().rollback();
    assertEquals(1, b.update("UPDATE child SET parent = 33 WHERE id = 88"));
    assertConflict(b.session()::commit); // the commit adds the index entry
    b.session().rollback();
    assertEquals(40 * 3, a.query(JOIN).size());
    a.session().commit();
    assertEquals(1, b.update("INSERT INTO child VALUES (1000, 33, 0)"));
    b.session().commit();
    assertEquals(40 * 3 + 1, a.query(JOIN).size());
  }

  @Test
  void shouldPreventPhantomsInEmptyRanges() {
    assertEquals(childless(), a.query(CHILDLESS));
    assertConflict(() -> b.update("INSERT INTO child VALUES (1000, 6, 0)"));
    b.session().rollback();
    assertEquals(childless(), a.query(CHILDLESS));
  }

  @Test
  void shouldPreventChangesToJoinedRows() {
    assertEquals(40 * 3, a.query(JOIN).size());
    assertConflict(() -> b.update("UPDATE child SET v = 1 WHERE id = 33"));
    b.session().rollback();
    assertConflict(() -> b.update("DELETE FROM child WHERE id = 33"));
    b.session().rollback();
  }

  @Test
  void shouldReturnSnapshotDespiteConcurrentChanges() {
    a.session().setIsolation(Isolation.SNAPSHOT);
    assertEquals(1, a.query("SELECT id FROM parent WHERE id = 1").size());
    b.update("INSERT INTO child VALUES (1000, 6, 0)");
    b.update("DELETE FROM child WHERE id = 33");
    b.update("UPDATE child SET parent = 8 WHERE id = 34");
    b.session().commit();
    assertEquals(40 * 3, a.query(JOIN).size());
    assertEquals(childless(), a.query(CHILDLESS));
    a.session().commit();
    assertEquals(40 * 3, a.query(JOIN).size());
    assertEquals(8, a.query(CHILDLESS).size());
  }

  @Test
  void shouldShowOwnChanges() {
    for (Isolation isolation : Isolation.values()) {
      a.session().setIsolation(isolation);
      assertEquals(40 * 3, a.query(JOIN).size());
      Savepoint before = a.session().setSavepoint(null);
      a.update("INSERT INTO child VALUES (1000, 6, 0), (1001, 6, 0)");
      a.update("DELETE FROM child WHERE id = 33");
      a.update("UPDATE child SET parent = 8 WHERE id = 34");
      assertEquals(40 * 3 + 1, a.query(JOIN).size());
      assertEquals(8, a.query(CHILDLESS).size());
      a.session().rollbackTo(before);
      assertEquals(40 * 3, a.query(JOIN).size());
      assertEquals(childless(), a.query(CHILDLESS));
      a.session().rollback();
    }
  }

  @Test
  void shouldReturnOwnInsertsWhileResultIsOpen() {
    try (StatementExecution open = a.session().newExecution(a.session().prepare(UNSORTED))) {
      open.executeQuery();
      open.next();
      a.update("INSERT INTO child VALUES (1000, 6, 0)");
      int rows = 1;
      while (open.next()) {
        rows++;
      }
      assertEquals(40 * 3 + 1, rows);
    }
  }

  @Test
  void shouldPreventPhantomsInPrefetchedRanges() {
    // moves the rows of other parents to another leaf
    a.update("INSERT INTO child VALUES " + Sql.rows(2000, 2200, i -> i + ", 3, 0"));
    a.session().commit();
    try (StatementExecution open = a.session().newExecution(a.session().prepare(UNSORTED))) {
      open.executeQuery();
      open.next();
      assertConflict(() -> b.update("INSERT INTO child VALUES (1000, 7, 0)"));
      b.session().rollback();
      int rows = 1;
      while (open.next()) {
        rows++;
      }
      assertEquals(40 * 3 + 200, rows);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM child WHERE parent = -1",
        "SELECT id FROM child WHERE parent < 0 ORDER BY parent FETCH FIRST 5 ROWS ONLY",
        "SELECT c.id FROM parent p JOIN child c ON c.parent = p.id - 10 WHERE p.id = 9",
        "SELECT c.id FROM (VALUES (-1), (-2)) AS v (x) JOIN child c ON c.parent = v.x"
      })
  void shouldSeeRowsCommittedToPrefetchedLeaf(String query) {
    try (StatementExecution open = a.session().newExecution(a.session().prepare(UNSORTED))) {
      open.executeQuery();
      open.next();
      b.update("INSERT INTO child VALUES (1000, -1, 0)");
      b.session().commit();
      assertEquals(List.of("1000"), a.query(query));
      assertConflict(() -> b.update("INSERT INTO child VALUES (1001, -1, 0)"));
    }
  }

  @Test
  void shouldEnforceForeignKeysDespitePrefetch() {
    a.run(
        "CREATE TABLE kid (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent)",
        "CREATE INDEX kid_parent ON kid (parent)",
        "INSERT INTO kid VALUES (1, 1), (2, 3), (3, 5)");
    a.session().commit();
    String join = "SELECT p.id, k.id FROM parent p LEFT JOIN kid k ON k.parent = p.id";
    a.session().setIsolation(Isolation.SNAPSHOT);
    try (StatementExecution open = a.session().newExecution(a.session().prepare(join))) {
      open.executeQuery();
      open.next();
      b.update("INSERT INTO kid VALUES (4, 6)");
      b.session().commit();
      assertConflict(() -> a.update("DELETE FROM parent WHERE id = 6"));
    }
    a.session().rollback();
    a.session().setIsolation(Isolation.SERIALIZABLE);
    try (StatementExecution open = a.session().newExecution(a.session().prepare(join))) {
      open.executeQuery();
      open.next();
      assertConflict(() -> b.update("INSERT INTO kid VALUES (5, 4)"));
      b.session().rollback();
      assertEquals(1, a.update("DELETE FROM parent WHERE id = 4"));
    }
    a.session().commit();
    assertThrows(NelumboException.class, () -> b.update("INSERT INTO kid VALUES (5, 4)"));
    b.session().rollback();
  }

  @Test
  void shouldRereadRowsChangedSincePrefetch() {
    try (StatementExecution open = a.session().newExecution(a.session().prepare(UNSORTED))) {
      open.executeQuery();
      open.next();
      assertEquals(1, b.update("UPDATE child SET v = 50 WHERE id = 7"));
      b.session().commit();
      long sum = 0;
      while (open.next()) {
        sum += open.longAt(1);
      }
      assertEquals(50, sum);
    }
  }

  @Test
  void shouldLockTheRowsOfAJoinForUpdate() {
    a.query("SELECT p.id, c.id FROM parent p JOIN child c ON c.parent = p.id FOR UPDATE");
    assertConflict(() -> b.query("SELECT v FROM child WHERE id = 33"));
    b.session().rollback();
    assertEquals(1, a.update("UPDATE child SET v = 5 WHERE id = 33"));
    a.session().commit();
    assertEquals(List.of("5"), b.query("SELECT v FROM child WHERE id = 33"));
  }

  @Test
  void shouldConflictWithUncommittedUpdateOfJoinedRow() {
    b.update("UPDATE child SET v = 1 WHERE id = 33");
    assertConflict(() -> a.query(JOIN));
    a.session().rollback();
    b.session().rollback();
    assertEquals(40 * 3, a.query(JOIN).size());
  }
}
