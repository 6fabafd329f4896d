package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.error.NelumboException;

/** Proves that recorded schema changes are in effect when the pool is opened again. */
@Timeout(60)
class ReopenedSchemaTest {
  private final LocalFabric memory = new LocalFabric(1, 64L << 20);
  private LocalDatabase database;
  private Sql sql;

  @BeforeEach
  void attach() {
    database =
        DatabaseOpener.attach(
            DatabaseOptions.defaults(),
            new SystemEnvironment(),
            "a test",
            "",
            () ->
                new ForwardingFabric(memory) {
                  @Override
                  public void close() {}
                });
    sql = new Sql(database);
  }

  @AfterEach
  void close() {
    sql.close();
    database.close();
  }

  private void reopen() {
    close();
    attach();
  }

  @Test
  void shouldKeepCommentsAndGeneratedColumns() {
    sql.run(
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER, g INTEGER AS (b + 1))",
        "CREATE VIEW v AS SELECT a FROM t",
        "CREATE SEQUENCE s",
        "CREATE SCHEMA x",
        "COMMENT ON TABLE t IS 'one'",
        "COMMENT ON COLUMN t.b IS 'two'",
        "COMMENT ON VIEW v IS 'three'",
        "COMMENT ON SEQUENCE s IS 'four'",
        "COMMENT ON SCHEMA x IS 'five'",
        "COMMENT ON SCHEMA public IS 'six'",
        "COMMENT ON SCHEMA public IS NULL");
    reopen();
    sql.run("INSERT INTO t (a, b) VALUES (1, 10)");
    assertEquals(List.of("1 10 11"), sql.query("SELECT * FROM t"));
    assertEquals(
        List.of("one", "three"),
        sql.query("SELECT remarks FROM SYS.TABLES WHERE remarks IS NOT NULL ORDER BY remarks"));
    assertEquals(
        List.of("B two"),
        sql.query("SELECT column_name, remarks FROM SYS.COLUMNS WHERE remarks IS NOT NULL"));
    assertEquals(List.of("four"), sql.query("SELECT remarks FROM SYS.SEQUENCES"));
    assertEquals(
        List.of("X five"), sql.query("SELECT * FROM SYS.SCHEMAS WHERE remarks IS NOT NULL"));
  }

  /** Includes temporary tables of a process that failed with open sessions. */
  @Test
  void shouldDropTemporaryTables() {
    sql.run("CREATE TEMP TABLE t (a INTEGER)", "CREATE TEMP TABLE u AS SELECT 1 AS a");
    reopen();
    assertEquals(List.of(), List.copyOf(database.catalogOfPool().temporarySchemas()));
    sql.run("CREATE TEMP TABLE t (a SERIAL, b INTEGER UNIQUE)", "INSERT INTO t (b) VALUES (1)");
    database.abandon();
    attach();
    assertEquals(List.of(), List.copyOf(database.catalogOfPool().temporarySchemas()));
    sql.run("CREATE TABLE t (a INTEGER)");
    assertEquals(List.of("0"), sql.query("SELECT COUNT(*) FROM t"));
  }

  @Test
  void shouldKeepSeveralIdentityColumns() {
    sql.run(
        "CREATE TABLE t (a SERIAL, b INTEGER GENERATED ALWAYS AS IDENTITY (START WITH 5))",
        "INSERT INTO t DEFAULT VALUES");
    reopen();
    sql.run("INSERT INTO t DEFAULT VALUES", "CREATE TABLE u (a SERIAL, b SERIAL)");
    assertEquals(
        List.of("true true 2"),
        sql.query("SELECT MIN(a) = 1, MIN(b) = 5, COUNT(DISTINCT b) FROM t"));
    sql.run("INSERT INTO u DEFAULT VALUES");
    assertEquals(List.of("1 1"), sql.query("SELECT * FROM u"));
  }

  @Test
  void shouldKeepExpressionAndPartialIndexes() {
    sql.run(
        "CREATE TABLE t (a INTEGER, b VARCHAR(9), gone BOOLEAN)",
        "INSERT INTO t VALUES (1, 'x', FALSE), (2, 'X', TRUE)",
        "CREATE UNIQUE INDEX i ON t (LOWER(b), a) WHERE NOT gone",
        "CREATE INDEX j ON t (a + 1)");
    reopen();
    assertEquals(
        List.of("IndexRangeScan(T.J[A + 1 = 3])"),
        sql.query("EXPLAIN PLAN FOR SELECT b FROM t WHERE a + 1 = 3"));
    sql.run("INSERT INTO t VALUES (1, 'X', TRUE), (2, 'x', FALSE)");
    assertThrows(NelumboException.class, () -> sql.run("INSERT INTO t VALUES (2, 'X', FALSE)"));
    assertEquals(
        List.of("1", "2"),
        sql.query("SELECT a FROM t WHERE LOWER(b) = 'x' AND NOT gone ORDER BY a"));
    assertEquals(List.of("X", "x"), sql.query("SELECT b FROM t WHERE a + 1 = 3 ORDER BY b"));
  }

  @Test
  void shouldKeepRenamesAndDroppedPrimaryKey() {
    sql.run(
        "CREATE TABLE t (a INTEGER CONSTRAINT k PRIMARY KEY, b INTEGER CONSTRAINT u UNIQUE)",
        "INSERT INTO t VALUES (1, 1), (2, 2)",
        "CREATE VIEW v AS SELECT 1 AS one",
        "ALTER VIEW v RENAME TO w",
        "CREATE SEQUENCE s",
        "ALTER SEQUENCE s RENAME TO r",
        "ALTER TABLE t DROP PRIMARY KEY, RENAME CONSTRAINT u TO uu, RENAME TO tt");
    reopen();
    sql.run("INSERT INTO tt VALUES (2, 3), (2, 4)");
    assertEquals(List.of("4"), sql.query("SELECT COUNT(*) FROM tt"));
    assertEquals(List.of("UU"), sql.query("SELECT index_name FROM SYS.INDEXES"));
    assertEquals(List.of("1"), sql.query("SELECT one FROM w"));
    assertEquals(List.of("1"), sql.query("SELECT NEXTVAL('r')"));
  }
}
