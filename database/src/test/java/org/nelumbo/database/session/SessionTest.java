package org.nelumbo.database.session;

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
import org.nelumbo.session.PreparedStatementPlan;
import org.nelumbo.session.Rows;
import org.nelumbo.session.Session;
import org.nelumbo.session.StatementExecution;

@Timeout(120)
class SessionTest {
  private Database database;
  private Sql sql;

  @BeforeEach
  void open() {
    database = Sql.memory();
    sql = new Sql(database);
    sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(10))");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void shouldCommitEachStatementInAutoCommitMode() {
    sql.run("INSERT INTO t VALUES (1, 'a')");
    try (Sql other = new Sql(database)) {
      assertEquals(List.of("1 a"), other.query("SELECT * FROM t"));
    }
  }

  @Test
  void shouldRollBackUncommittedChanges() {
    sql.session().setAutoCommit(false);
    sql.run("INSERT INTO t VALUES (1, 'a')");
    sql.session().rollback();
    assertEquals(List.of(), sql.query("SELECT * FROM t"));
  }

  @Test
  void shouldRollBackToSavepoint() {
    sql.session().setAutoCommit(false);
    sql.run("INSERT INTO t VALUES (1, 'a')", "SAVEPOINT s", "INSERT INTO t VALUES (2, 'b')");
    sql.run("ROLLBACK TO SAVEPOINT s", "COMMIT");
    assertEquals(List.of("1 a"), sql.query("SELECT * FROM t"));
  }

  @Test
  void shouldKeepTransactionWhenStatementFails() {
    sql.session().setAutoCommit(false);
    sql.run("INSERT INTO t VALUES (1, 'a')");
    assertFails(
        ErrorCode.UNIQUE_VIOLATION, () -> sql.run("INSERT INTO t VALUES (2, 'b'), (1, 'c')"));
    sql.session().commit();
    assertEquals(List.of("1 a"), sql.query("SELECT * FROM t"));
  }

  @Test
  void shouldRefuseHalfOfTransactionThatLost() {
    sql.run("INSERT INTO t VALUES (1, 'a')");
    try (Sql winner = new Sql(database)) {
      winner.session().setAutoCommit(false);
      winner.run("UPDATE t SET v = 'w' WHERE id = 1");
      sql.session().setAutoCommit(false);
      sql.session().setLockTimeout(Duration.ofMillis(20)); // counts as older within one tick
      sql.run("INSERT INTO t VALUES (2, 'b')");
      assertFails(
          ErrorCode.SERIALIZATION_FAILURE, () -> sql.run("UPDATE t SET v = 'l' WHERE id = 1"));
      assertFails(ErrorCode.TRANSACTION_FAILED, () -> sql.run("INSERT INTO t VALUES (3, 'c')"));
      sql.session().rollback();
      winner.session().commit();
    }
    assertEquals(List.of("1 w"), sql.query("SELECT * FROM t"));
  }

  @Test
  void shouldPlanAnewAfterSchemaChange() {
    try (StatementExecution execution =
        sql.session().newExecution(sql.session().prepare("SELECT v FROM t WHERE v = ?"))) {
      sql.run("INSERT INTO t VALUES (1, 'a')", "CREATE TABLE other (id INTEGER PRIMARY KEY)");
      execution.parameters().setObject(0, "a");
      execution.executeQuery();
      assertEquals(true, execution.next());
      assertEquals("a", execution.objectAt(0));
    }
  }

  @Test
  void shouldFailIfTableWasDropped() {
    PreparedStatementPlan plan = sql.session().prepare("SELECT v FROM t");
    sql.run("DROP TABLE t");
    try (StatementExecution execution = sql.session().newExecution(plan)) {
      assertFails(ErrorCode.NO_SUCH_TABLE, execution::executeQuery);
    }
  }

  @Test
  void shouldKeepOpenResultWhenNextStatementCommits() {
    sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    Session session = sql.session();
    try (StatementExecution reading =
        session.newExecution(session.prepare("SELECT id FROM t ORDER BY id"))) {
      reading.executeQuery();
      reading.next();
      sql.run("DELETE FROM t");
      assertEquals(true, reading.next());
      assertEquals(2, reading.longAt(0));
      assertEquals(true, reading.next());
      assertEquals(3, reading.longAt(0));
      assertEquals(false, reading.next());
    }
  }

  @Test
  void shouldReturnGeneratedKeys() {
    sql.run("CREATE TABLE g (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v INTEGER)");
    Session session = sql.session();
    PreparedStatementPlan plan = session.prepare("INSERT INTO g (v) VALUES (10), (20)");
    try (StatementExecution insert = session.newExecution(plan)) {
      insert.keepGeneratedKeys(new int[] {0});
      assertEquals(2, insert.executeUpdate());
      Rows keys = insert.generatedKeys();
      keys.next();
      assertEquals(1, keys.longAt(0));
      keys.next();
      assertEquals(2, keys.longAt(0));
      assertEquals(false, keys.next());
    }
  }

  @Test
  void shouldWaitForTransactionsBeforeDroppingTheirTable() {
    try (Sql user = new Sql(database)) {
      user.session().setAutoCommit(false);
      user.query("SELECT * FROM t");
      sql.session().setLockTimeout(Duration.ofMillis(20));
      assertFails(ErrorCode.LOCK_NOT_AVAILABLE, () -> sql.run("DROP TABLE t"));
      user.session().commit();
      sql.session().setLockTimeout(Duration.ofMinutes(1));
      sql.run("DROP TABLE t");
    }
  }

  @Test
  void shouldStartTransactionInAutoCommitMode() {
    sql.run("START TRANSACTION", "INSERT INTO t VALUES (1, 'a')", "SAVEPOINT s");
    sql.run("INSERT INTO t VALUES (2, 'b')", "ROLLBACK TO SAVEPOINT s");
    assertEquals(true, sql.session().inTransaction());
    try (Sql other = new Sql(database)) {
      other.session().setReadOnly(true);
      assertEquals(List.of(), other.query("SELECT * FROM t"));
      sql.run("COMMIT");
      assertEquals(List.of("1 a"), other.query("SELECT * FROM t"));
      sql.run("INSERT INTO t VALUES (3, 'c')");
      assertEquals(List.of("1 a", "3 c"), other.query("SELECT * FROM t ORDER BY id"));
    }
    sql.run("START TRANSACTION", "DELETE FROM t", "ROLLBACK", "INSERT INTO t VALUES (4, 'd')");
    assertEquals(List.of("3"), sql.query("SELECT COUNT(*) FROM t"));
    assertEquals(true, sql.session().autoCommit());
  }

  @Test
  void shouldNotStartTransactionInTransaction() {
    sql.run("START TRANSACTION");
    assertFails(ErrorCode.TRANSACTION_ACTIVE, () -> sql.run("START TRANSACTION"));
    sql.run("INSERT INTO t VALUES (1, 'a')");
    assertFails(ErrorCode.TRANSACTION_ACTIVE, () -> sql.run("START TRANSACTION"));
    sql.run("COMMIT");
    assertEquals(List.of("1 a"), sql.query("SELECT * FROM t"));
  }

  @Test
  void shouldReturnToAutoCommitAfterFailedTransaction() {
    sql.run("INSERT INTO t VALUES (1, 'a')", "START TRANSACTION READ ONLY");
    assertFails(ErrorCode.READ_ONLY_TRANSACTION, () -> sql.run("DELETE FROM t WHERE id = 1"));
    sql.run("ROLLBACK", "DELETE FROM t WHERE id = 1");
    assertEquals(List.of(), sql.query("SELECT * FROM t"));
  }

  /**
   * A snapshot transaction checks foreign keys differently, so the statement must be planned for
   * it.
   */
  @Test
  void shouldEnforceForeignKeyAfterSwitchToSnapshotIsolation() {
    sql.run(
        "CREATE TABLE c (id INTEGER PRIMARY KEY, t_id INTEGER REFERENCES t (id))",
        "INSERT INTO t VALUES (1, 'a')");
    PreparedStatementPlan insert = sql.session().prepare("INSERT INTO c VALUES (1, 1)");
    sql.run("START TRANSACTION ISOLATION LEVEL REPEATABLE READ");
    try (StatementExecution execution = sql.session().newExecution(insert);
        Sql other = new Sql(database)) {
      assertEquals(List.of("1 a"), sql.query("SELECT * FROM t"));
      other.run("DELETE FROM t WHERE id = 1");
      assertFails(ErrorCode.SERIALIZATION_FAILURE, execution::executeUpdate);
      sql.run("ROLLBACK");
      assertFails(ErrorCode.FOREIGN_KEY_VIOLATION, execution::executeUpdate);
    }
  }

  @Test
  void shouldRefuseWritesInReadOnlySession() {
    sql.session().setReadOnly(true);
    assertFails(ErrorCode.READ_ONLY_TRANSACTION, () -> sql.run("INSERT INTO t VALUES (1, 'a')"));
  }

  @Test
  void shouldEndSessionsWhenDatabaseCloses() {
    database.close();
    assertEquals(false, sql.session().isValid());
    assertFails(ErrorCode.SHUT_DOWN, () -> sql.query("SELECT * FROM t"));
  }
}
