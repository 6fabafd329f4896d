package org.nelumbo.database.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.database.Failures.assertFails;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.Isolation;
import org.nelumbo.session.StatementExecution;

/** ALTER TABLE and CREATE INDEX with concurrent sessions, and on many rows. */
@Timeout(120)
class AlterTableTest {
  private static final int ROWS = 5_000;

  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)",
        "INSERT INTO t VALUES (1, 10), (2, 20)",
        "CREATE TABLE other (id INTEGER PRIMARY KEY)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private void fill() {
    sql.session().setAutoCommit(false);
    for (int i = 3; i <= ROWS; i++) {
      sql.update("INSERT INTO t VALUES (?, ?)", i, i * 10);
    }
    sql.session().commit();
    sql.session().setAutoCommit(true);
  }

  @Test
  void shouldRebuildManyRows() {
    fill();
    sql.run(
        "CREATE INDEX t_v ON t (v)", "ALTER TABLE t ADD COLUMN w VARCHAR(5) DEFAULT 'x' NOT NULL");
    assertEquals(List.of(ROWS + " 5000"), sql.query("SELECT COUNT(*), COUNT(w) FROM t"));
    assertEquals(List.of("777 7770 x"), sql.query("SELECT * FROM t WHERE id = 777"));
    assertEquals(List.of("4321"), sql.query("SELECT id FROM t WHERE v = 43210"));
    sql.run("DELETE FROM t WHERE id > 2", "INSERT INTO t VALUES (3, 1, 'y')");
    assertEquals(List.of("1 10 x", "2 20 x", "3 1 y"), sql.query("SELECT * FROM t ORDER BY id"));
  }

  @Test
  void shouldKeepTableWhenLateRowOfCopyDoesNotFit() {
    fill();
    sql.run("UPDATE t SET v = 1000000 WHERE id = 4900");
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> sql.run("ALTER TABLE t ALTER COLUMN v SET DATA TYPE DECIMAL(5, 0)"));
    assertEquals(List.of("5000"), sql.query("SELECT COUNT(*) FROM t"));
    sql.run("UPDATE t SET v = 99999 WHERE id = 4900");
    sql.run("ALTER TABLE t ALTER COLUMN v SET DATA TYPE DECIMAL(5, 0)");
    assertEquals(List.of("99999"), sql.query("SELECT v FROM t WHERE id = 4900"));
  }

  @Test
  void shouldWaitForTransactionsOnTheTable() {
    try (Sql user = new Sql(database)) {
      user.session().setAutoCommit(false);
      user.run("UPDATE t SET v = 11 WHERE id = 1");
      sql.session().setLockTimeout(Duration.ofMillis(20));
      assertFails(ErrorCode.LOCK_NOT_AVAILABLE, () -> sql.run("ALTER TABLE t ADD COLUMN w INT"));
      assertFails(ErrorCode.LOCK_NOT_AVAILABLE, () -> sql.run("CREATE INDEX t_v ON t (v)"));
      user.session().commit();
      sql.session().setLockTimeout(Duration.ofMinutes(1));
      sql.run("ALTER TABLE t ADD COLUMN w INT DEFAULT 0");
      assertEquals(List.of("1 11 0"), user.query("SELECT * FROM t WHERE id = 1"));
    }
  }

  @Test
  void shouldNotDisturbTransactionsOnOtherTables() {
    try (Sql user = new Sql(database)) {
      user.session().setAutoCommit(false);
      user.run("INSERT INTO other VALUES (1)");
      sql.run("ALTER TABLE t ADD COLUMN w INT DEFAULT 5");
      user.run("UPDATE t SET w = 6 WHERE id = 2", "COMMIT");
      assertEquals(List.of("10 5", "20 6"), sql.query("SELECT v, w FROM t ORDER BY id"));
    }
  }

  @Test
  void shouldNotShowRebuiltTableToAnOlderSnapshot() {
    try (Sql user = new Sql(database)) {
      user.session().setIsolation(Isolation.SNAPSHOT);
      user.session().setAutoCommit(false);
      user.query("SELECT * FROM other");
      sql.run("ALTER TABLE t ADD COLUMN w INT DEFAULT 5");
      assertFails(ErrorCode.SERIALIZATION_FAILURE, () -> user.query("SELECT v, w FROM t"));
      user.session().rollback();
      assertEquals(List.of("10 5", "20 5"), user.query("SELECT v, w FROM t ORDER BY id"));
    }
  }

  @Test
  void shouldNotSearchNewIndexWithAnOlderSnapshot() {
    try (Sql user = new Sql(database)) {
      user.session().setReadOnly(true);
      user.session().setAutoCommit(false);
      user.query("SELECT * FROM other");
      sql.run("UPDATE t SET v = 30 WHERE id = 1", "CREATE INDEX t_v ON t (v)");
      assertFails(
          ErrorCode.SERIALIZATION_FAILURE, () -> user.query("SELECT id FROM t WHERE v = 10"));
      user.session().rollback();
      assertEquals(List.of(), user.query("SELECT id FROM t WHERE v = 10"));
    }
  }

  @Test
  void shouldAcceptInsertsAfterTruncate() {
    fill();
    sql.run("CREATE INDEX t_v ON t (v)", "TRUNCATE TABLE t");
    assertEquals(List.of("0"), sql.query("SELECT COUNT(*) FROM t"));
    assertEquals(List.of(), sql.query("SELECT id FROM t WHERE v = 30"));
    sql.run("INSERT INTO t VALUES (7, 30)");
    assertEquals(List.of("7"), sql.query("SELECT id FROM t WHERE v = 30"));
  }

  @Test
  void shouldRunPreparedInsertAfterAddColumn() {
    try (StatementExecution insert =
        sql.session().newExecution(sql.session().prepare("INSERT INTO t (id, v) VALUES (?, ?)"))) {
      insert.parameters().setLong(0, 3);
      insert.parameters().setLong(1, 30);
      insert.executeUpdate();
      sql.run("ALTER TABLE t ADD COLUMN w INT DEFAULT 5");
      insert.parameters().setLong(0, 4);
      insert.executeUpdate();
      assertEquals(
          List.of("3 30 5", "4 30 5"), sql.query("SELECT * FROM t WHERE id > 2 ORDER BY id"));
    }
  }
}
