package org.nelumbo.database.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.database.Failures.assertFails;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.Database;
import org.nelumbo.database.Sql;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.StatementExecution;

/** Temporary tables belong to one session and end when they are declared to end. */
@Timeout(60)
class TemporaryTableTest {
  private static final String COUNT = "SELECT COUNT(*) FROM tmp";

  private Database database;
  private Sql first;
  private Sql second;

  @BeforeEach
  void open() {
    database = Sql.memory();
    first = new Sql(database);
    second = new Sql(database);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    database.close();
  }

  private static void assertMissing(Sql sql) {
    assertFails(ErrorCode.NO_SUCH_TABLE, () -> sql.query(COUNT));
  }

  @Test
  void shouldBeInvisibleToOtherSessions() {
    first.run("CREATE TEMP TABLE tmp (id INTEGER PRIMARY KEY)", "INSERT INTO tmp VALUES (1)");
    assertMissing(second);
    assertFails(ErrorCode.NO_SUCH_TABLE, () -> second.query("SELECT * FROM pg_temp_1.tmp"));
    assertFails(ErrorCode.NO_SUCH_TABLE, () -> second.run("DROP TABLE pg_temp_1.tmp"));
    second.run("CREATE TEMP TABLE tmp (a INTEGER, b INTEGER)", "INSERT INTO tmp VALUES (5, 6)");
    assertEquals(List.of("1"), first.query("SELECT * FROM tmp"));
    assertEquals(List.of("5 6"), second.query("SELECT * FROM tmp"));
    second.run("DROP TABLE tmp");
    assertMissing(second);
    assertEquals(List.of("1"), first.query("SELECT * FROM tmp"));
  }

  @Test
  void shouldMeanAnotherTableInPreparedStatements() {
    first.run("CREATE TABLE tmp (a INTEGER)", "INSERT INTO tmp VALUES (1), (2)");
    try (StatementExecution count = first.session().newExecution(first.session().prepare(COUNT));
        StatementExecution others =
            second.session().newExecution(second.session().prepare(COUNT))) {
      assertEquals(2, number(count));
      first.run("CREATE TEMP TABLE tmp (a INTEGER)");
      assertEquals(0, number(count));
      assertEquals(2, number(others));
      first.run("DROP TABLE tmp");
      assertEquals(2, number(count));
    }
  }

  private static long number(StatementExecution query) {
    query.executeQuery();
    query.next();
    return query.longAt(0);
  }

  @Test
  void shouldBeDroppedAtEndOfSession() {
    Sql third = new Sql(database);
    third.run("CREATE TEMP TABLE tmp AS SELECT 1 AS n");
    third.close();
    Sql fourth = new Sql(database);
    fourth.run("CREATE TEMP TABLE tmp (n INTEGER)");
    assertEquals(List.of("0"), fourth.query(COUNT));
    fourth.close();
  }

  @Test
  void shouldEndWithTheTransactionThatMadeThem() {
    Sql sql = Sql.transactions(database);
    sql.run("CREATE TABLE t (a INTEGER)");
    sql.session().commit();
    sql.run("INSERT INTO t VALUES (1)", "CREATE TEMP TABLE tmp ON COMMIT DROP AS SELECT a FROM t");
    assertEquals(List.of("1"), sql.query("SELECT a FROM tmp"));
    assertEquals(List.of("0"), second.query("SELECT COUNT(*) FROM t"));
    sql.session().commit();
    assertMissing(sql);
    assertEquals(List.of("1"), sql.query("SELECT COUNT(*) FROM t"));

    sql.run("CREATE TEMP TABLE tmp (n INTEGER)", "INSERT INTO tmp VALUES (1)");
    sql.session().rollback();
    assertMissing(sql);
    sql.session().rollback();

    sql.run("CREATE TEMP TABLE tmp (n INTEGER)", "INSERT INTO tmp VALUES (1)");
    sql.session().commit();
    sql.run("INSERT INTO tmp VALUES (2)");
    sql.session().rollback();
    assertEquals(List.of("1"), sql.query(COUNT));
    sql.close();
  }

  @Test
  void shouldLoseTheirRowsWithEachTransaction() {
    Sql sql = Sql.transactions(database);
    sql.run("CREATE TEMP TABLE tmp (n INTEGER PRIMARY KEY) ON COMMIT DELETE ROWS");
    sql.run("INSERT INTO tmp VALUES (1), (2)");
    assertEquals(List.of("2"), sql.query(COUNT));
    sql.session().commit();
    assertEquals(List.of("0"), sql.query(COUNT));
    sql.run("INSERT INTO tmp VALUES (1)");
    sql.session().setAutoCommit(true);
    assertEquals(List.of("0"), sql.query(COUNT));
    sql.run("INSERT INTO tmp VALUES (1)");
    assertEquals(List.of("0"), sql.query(COUNT));
    sql.close();
  }
}
