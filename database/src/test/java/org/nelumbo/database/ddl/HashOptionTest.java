package org.nelumbo.database.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.database.TestPool;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Tests tables that are created with the option {@code hash = false}. */
@Timeout(120)
class HashOptionTest {
  private static final String CREATE =
      "CREATE TABLE t (a INT, b VARCHAR(20), v INT, PRIMARY KEY (a, b)) WITH (hash = false)";

  private static final String FILL =
      "INSERT INTO t SELECT g, 'b' || g, g * 10 FROM GENERATE_SERIES(1, 2000) AS s (g)";

  private static void assertTree(Sql sql) {
    assertEquals(
        List.of("PRIMARY INDEX", "ROWS"),
        sql.query(
            "SELECT kind FROM SYS.MEMORY WHERE table_name = 'T' AND kind <> 'INDEX' ORDER BY"
                + " kind"));
    sql.run("CHECK TABLE t");
  }

  private static void assertRows(Sql sql) {
    assertTree(sql);
    assertEquals(List.of("2000"), sql.query("SELECT COUNT(*) FROM t"));
    assertEquals(List.of("770"), sql.query("SELECT v FROM t WHERE a = 77 AND b = 'b77'"));
    assertEquals(List.of(), sql.query("SELECT v FROM t WHERE a = 77 AND b = 'b78'"));
    assertFails(ErrorCode.UNIQUE_VIOLATION, () -> sql.run("INSERT INTO t VALUES (5, 'b5', 1)"));
  }

  @ParameterizedTest
  @EnumSource(TestPool.Kind.class)
  void shouldKeepOptionWhenStoreIsReplaced(TestPool.Kind kind) {
    try (TestPool pool = new TestPool(kind, 64L << 20);
        Sql sql = new Sql(pool.database())) {
      sql.run(CREATE, "CREATE INDEX by_v ON t (v)", FILL);
      assertRows(sql);
      sql.run("ALTER TABLE t ADD COLUMN w BIGINT DEFAULT 7 NOT NULL");
      assertRows(sql);
      sql.run("ALTER TABLE t ALTER COLUMN v SET DATA TYPE BIGINT");
      assertRows(sql);
      sql.run("TRUNCATE TABLE t");
      assertTree(sql);
      assertEquals(List.of("0"), sql.query("SELECT COUNT(*) FROM t"));
      sql.run("INSERT INTO t (a, b, v) VALUES (1, 'x', 2)", "ALTER TABLE t RENAME TO u");
      assertEquals(List.of("2"), sql.query("SELECT v FROM u WHERE a = 1 AND b = 'x'"));
      sql.run("DROP TABLE u");
    }
  }

  @Test
  void shouldKeepOptionInFiles(@TempDir Path place) {
    DatabaseOptions options = DatabaseOptions.defaults().withMemoryBytes(64L << 20);
    try (Database database = DatabaseOpener.openFile(options, place);
        Sql sql = new Sql(database)) {
      sql.run(CREATE, "CREATE INDEX by_v ON t (v)", FILL, "DELETE FROM t WHERE a > 1990");
      sql.run("INSERT INTO t SELECT g, 'b' || g, g * 10 FROM GENERATE_SERIES(1991, 2000) AS s (g)");
    }
    try (Database database = DatabaseOpener.openFile(options, place);
        Sql sql = new Sql(database)) {
      assertRows(sql);
    }
  }

  @Test
  void shouldRefuseTableWithoutAnyIndexOnItsKey() {
    try (TestPool pool = new TestPool(TestPool.Kind.MEMORY, 16L << 20);
        Sql sql = new Sql(pool.database())) {
      NelumboException e =
          assertThrows(
              NelumboException.class,
              () ->
                  sql.run(
                      "CREATE TABLE x (a INT PRIMARY KEY) WITH (ordered = false, hash = false)"));
      assertEquals("42000", e.sqlState());
      assertTrue(e.getMessage().contains("ordered and hash"), e.getMessage());
    }
  }

  @Test
  void shouldAcceptTablesWithoutPrimaryKey() {
    try (TestPool pool = new TestPool(TestPool.Kind.NODE, 16L << 20);
        Sql sql = new Sql(pool.database())) {
      sql.run(
          "CREATE TABLE t (v INT) WITH (hash = false)",
          "INSERT INTO t VALUES (1), (1), (2)",
          "UPDATE t SET v = 3 WHERE v = 1",
          "DELETE FROM t WHERE v = 2");
      assertEquals(List.of("3", "3"), sql.query("SELECT v FROM t"));
      assertTree(sql);
    }
  }

  @Test
  void shouldMergeAndUpsert() {
    try (TestPool pool = new TestPool(TestPool.Kind.NODE, 64L << 20);
        Sql sql = new Sql(pool.database())) {
      sql.run(CREATE, FILL, "DELETE FROM t WHERE a % 3 = 0");
      sql.run(
          "INSERT INTO t SELECT g, 'b' || g, g * 10 FROM GENERATE_SERIES(1, 2000) AS s (g)"
              + " ON CONFLICT DO NOTHING");
      assertRows(sql);
    }
  }
}
