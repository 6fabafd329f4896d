package org.nelumbo.database.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.nelumbo.database.Failures.assertFails;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.database.Sql;
import org.nelumbo.database.TestPool;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.StatementExecution;

/**
 * A store that replaces another store, or whose creation fails, is never confused with it: cached
 * data of one store is invisible to readers of the other.
 */
@Timeout(120)
class StoreReplacementTest {
  private static final int ROWS = 1_500;
  private static final long BYTES = 64L << 20;

  private TestPool pool;
  private Sql sql;

  private void open(TestPool.Kind kind, long bytes) {
    pool = new TestPool(kind, bytes);
    sql = new Sql(pool.database());
  }

  @AfterEach
  void close() {
    pool.close();
  }

  private static String rows(int from, int to) {
    return IntStream.rangeClosed(from, to)
        .mapToObj(i -> "(" + i + ", " + i * 10 + ")")
        .collect(Collectors.joining(", "));
  }

  private void createWithLastNull() {
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)",
        "INSERT INTO t VALUES " + rows(1, ROWS - 1),
        "INSERT INTO t VALUES (" + ROWS + ", NULL)");
  }

  private void assertAllRows() {
    assertEquals(List.of(Integer.toString(ROWS)), sql.query("SELECT COUNT(*) FROM t"));
    for (int i = 1; i < ROWS; i += 7) {
      assertEquals(List.of(i * 10 + ""), sql.query("SELECT v FROM t WHERE id = ?", i));
    }
    for (int i = 1; i < ROWS; i += 7) {
      assertEquals(1, sql.update("UPDATE t SET v = v + 1 WHERE id = ?", i));
      assertEquals(List.of(i * 10 + 1 + ""), sql.query("SELECT v FROM t WHERE id = ?", i));
      assertEquals(1, sql.update("UPDATE t SET v = v - 1 WHERE id = ?", i));
    }
    try (Sql other = new Sql(pool.database())) {
      assertEquals(
          IntStream.range(100, 200).mapToObj(i -> i + " " + i * 10).toList(),
          other.query("SELECT id, v FROM t WHERE id >= 100 AND id < 200 ORDER BY id"));
      assertEquals(
          List.of("10 100", "20 200"),
          other.query("SELECT id, v FROM t WHERE id IN (10, 20) ORDER BY id"));
      assertEquals(
          List.of("150"),
          other.query(
              "SELECT COUNT(*) FROM t a JOIN t b ON b.id = a.v WHERE a.v BETWEEN 10 AND 1500"
                  + " AND b.id <= 1500"));
    }
  }

  @ParameterizedTest
  @EnumSource(TestPool.Kind.class)
  void shouldFindNoRowsOfTruncatedTable(TestPool.Kind kind) {
    open(kind, BYTES);
    sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)", "INSERT INTO t VALUES (1, 10)");
    try (Sql other = new Sql(pool.database())) {
      assertEquals(List.of("10"), sql.query("SELECT v FROM t WHERE id = 1"));
      assertEquals(List.of("10"), other.query("SELECT v FROM t WHERE id = 1"));
      sql.run("TRUNCATE TABLE t");
      for (Sql each : List.of(sql, other)) {
        assertEquals(List.of(), each.query("SELECT v FROM t WHERE id = 1"));
        assertEquals(List.of("0"), each.query("SELECT COUNT(*) FROM t"));
        assertEquals(0, each.update("UPDATE t SET v = 11 WHERE id = 1"));
        assertEquals(0, each.update("DELETE FROM t WHERE id = 1"));
        assertEquals(List.of(), each.query("SELECT v FROM t WHERE id IN (1, 2)"));
      }
      other.run("INSERT INTO t VALUES (1, 30)");
      assertEquals(List.of("30"), sql.query("SELECT v FROM t WHERE id = 1"));
      sql.run("DROP TABLE t", "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)");
      assertEquals(List.of(), other.query("SELECT v FROM t WHERE id = 1"));
      assertEquals(0, other.update("UPDATE t SET v = 11 WHERE id = 1"));
    }
  }

  @ParameterizedTest
  @EnumSource(TestPool.Kind.class)
  void shouldKeepTableIfRowViolatesNewDefinition(TestPool.Kind kind) {
    open(kind, BYTES);
    createWithLastNull();
    assertFails(
        ErrorCode.NOT_NULL_VIOLATION, () -> sql.run("ALTER TABLE t ALTER COLUMN v SET NOT NULL"));
    assertAllRows();
    sql.run("UPDATE t SET v = 1000000 WHERE id = " + ROWS);
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> sql.run("ALTER TABLE t ALTER COLUMN v SET DATA TYPE DECIMAL(5, 0)"));
    assertAllRows();
    sql.run("DELETE FROM t WHERE id = " + ROWS, "ALTER TABLE t ALTER COLUMN v SET NOT NULL");
    sql.run("INSERT INTO t VALUES (" + ROWS + ", 1)");
    assertAllRows();
  }

  @ParameterizedTest
  @EnumSource(TestPool.Kind.class)
  void shouldKeepTableIfPoolIsTooFullForRebuild(TestPool.Kind kind) {
    open(kind, 16L << 20);
    createWithLastNull();
    sql.run("CREATE TABLE filler (id INTEGER PRIMARY KEY, x VARCHAR(4000))");
    try {
      for (int i = 0; ; i++) {
        sql.update("INSERT INTO filler VALUES (?, ?)", i, "x".repeat(4000));
      }
    } catch (NelumboException e) {
      assertEquals(ErrorCode.POOL_FULL, e.code(), e::getMessage);
    }
    sql.run("DELETE FROM filler WHERE id < 30");
    assertFails(
        ErrorCode.POOL_FULL,
        () ->
            sql.run("ALTER TABLE t ADD COLUMN w VARCHAR(1000) DEFAULT '" + "w".repeat(900) + "'"));
    sql.run("DROP TABLE filler");
    assertAllRows();
  }

  /** A plan whose table was replaced computes no hints. */
  @ParameterizedTest
  @EnumSource(TestPool.Kind.class)
  void shouldUpdateRowsDespiteHintsForReplacedStore(TestPool.Kind kind) {
    open(kind, BYTES);
    sql.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER)",
        "CREATE TABLE other (id INTEGER PRIMARY KEY)",
        "INSERT INTO t VALUES " + rows(1, 20));
    sql.session().setAutoCommit(false);
    try (StatementExecution update =
        sql.session().newExecution(sql.session().prepare("UPDATE t SET v = 1 WHERE id = ?"))) {
      for (int round = 0; round < 3; round++) {
        sql.run("INSERT INTO other VALUES (" + round + ")");
        try (Sql ddl = new Sql(pool.database())) {
          ddl.run("TRUNCATE TABLE t", "INSERT INTO t VALUES " + rows(1, 5));
        }
        for (int i = 1; i <= 5; i++) {
          Sql.set(update, i);
          assertFalse(update.hint());
        }
        Sql.set(update, 3);
        assertEquals(1, update.executeUpdate());
        sql.session().commit();
        assertEquals(List.of("1"), sql.query("SELECT COUNT(*) FROM t WHERE v = 1"));
        sql.session().commit();
      }
    }
  }
}
