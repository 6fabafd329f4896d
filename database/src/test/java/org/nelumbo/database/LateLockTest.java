package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.database.Failures.assertFails;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.Isolation;

/**
 * UPDATE and DELETE statements that read more rows than they change: they lock the rows they
 * change.
 */
@Timeout(120)
class LateLockTest {
  private Database database;
  private Sql changing;
  private Sql other;

  @BeforeEach
  void open() {
    database = Sql.memory();
    changing = session();
    other = session();
    changing.session().setAutoCommit(true);
    changing.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, tag VARCHAR(5), v INTEGER)",
        "INSERT INTO t VALUES (1, 'a', 0), (2, 'b', 0), (3, 'a', 0)");
    changing.session().setAutoCommit(false);
  }

  @AfterEach
  void close() {
    changing.session().close();
    other.session().close();
    database.close();
  }

  /** Opens a session in which conflicts fail at once, without waiting. */
  private Sql session() {
    Sql sql = Sql.transactions(database);
    sql.session().setLockTimeout(Duration.ZERO);
    return sql;
  }

  private void assertConflict(Runnable statement) {
    assertFails(ErrorCode.SERIALIZATION_FAILURE, statement);
    other.session().rollback();
  }

  @Test
  void shouldAllowReadsOfNonQualifyingRows() {
    for (String change :
        List.of("UPDATE t SET v = 1 WHERE tag = 'a'", "DELETE FROM t WHERE v > 0 OR tag = 'a'")) {
      changing.run(change);
      assertEquals(List.of("0"), other.query("SELECT v FROM t WHERE id = 2"));
      other.session().rollback();
      assertConflict(() -> other.query("SELECT v FROM t WHERE id = 3"));
      changing.session().rollback();
    }
  }

  /**
   * A serializable statement has read that a row does not qualify. Other transactions cannot make
   * it qualify.
   */
  @Test
  void shouldPreventChangesThatMakeRowsQualify() {
    changing.run("UPDATE t SET v = 1 WHERE tag = 'a'");
    assertConflict(() -> other.run("UPDATE t SET tag = 'a' WHERE id = 2"));
    assertConflict(() -> other.run("INSERT INTO t VALUES (4, 'a', 0)"));
    changing.session().commit();
    assertEquals(List.of("1 1", "2 0", "3 1"), other.query("SELECT id, v FROM t ORDER BY id"));
  }

  @Test
  void shouldIgnoreChangesToNonQualifyingRowsUnderSnapshot() {
    changing.session().setIsolation(Isolation.SNAPSHOT);
    assertEquals(List.of("3"), changing.query("SELECT COUNT(*) FROM t"));
    other.run("UPDATE t SET v = 5 WHERE id = 2");
    other.session().commit();
    assertEquals(2, changing.update("UPDATE t SET v = v + 1 WHERE tag = 'a'"));
    changing.session().commit();
    assertEquals(List.of("1 1", "2 5", "3 1"), other.query("SELECT id, v FROM t ORDER BY id"));
  }

  @Test
  void shouldFailUnderSnapshotIfQualifyingRowChanged() {
    changing.session().setIsolation(Isolation.SNAPSHOT);
    assertEquals(List.of("3"), changing.query("SELECT COUNT(*) FROM t"));
    other.run("UPDATE t SET v = 5 WHERE id = 3");
    other.session().commit();
    assertFails(
        ErrorCode.SERIALIZATION_FAILURE,
        () -> changing.update("UPDATE t SET v = v + 1 WHERE tag = 'a'"));
  }
}
