package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Schema changes free the pool memory that they no longer need. */
@Timeout(180)
class DropMemoryTest {
  private static final int ROWS = 2_000;
  private static final int WARM_UP = 4;
  private static final int ROUNDS = 20;

  /**
   * Tolerated growth: the moment at which retired memory becomes free varies, so that one more
   * chunk is not a leak.
   */
  private static final long SLACK_BYTES = 1 << 20;

  private static LocalDatabase open(long megabytes) {
    return DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(megabytes << 20));
  }

  private static void fill(Sql sql, String table) {
    sql.session().setAutoCommit(false);
    for (int i = 0; i < ROWS; i++) {
      sql.update("INSERT INTO " + table + " VALUES (?, ?)", i, "row " + i);
    }
    sql.session().commit();
    sql.session().setAutoCommit(true);
  }

  /** Repeats an action and asserts that the pool stops growing after a few rounds. */
  private static void shouldNotGrow(Sql sql, LocalDatabase database, Runnable round) {
    long taken = 0;
    for (int i = 0; i < ROUNDS; i++) {
      round.run();
      taken = i == WARM_UP ? database.engine().takenBytes() : taken;
    }
    assertTrue(
        database.engine().takenBytes() <= taken + SLACK_BYTES,
        database.engine().poolUsage()::toString);
    sql.close();
    assertTrue(database.engine().poolUsage().isBalanced(), database.engine().poolUsage()::toString);
  }

  @Test
  void shouldNotGrowByCreateFillDrop() {
    try (LocalDatabase database = open(64)) {
      Sql sql = new Sql(database);
      shouldNotGrow(
          sql,
          database,
          () -> {
            sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(20) UNIQUE)");
            fill(sql, "t");
            sql.run("DELETE FROM t WHERE id < 500", "UPDATE t SET v = v || '!' WHERE id > 1500");
            sql.run("DROP TABLE t");
          });
    }
  }

  @Test
  void shouldNotGrowBySeveralChangesAtOnce() {
    try (LocalDatabase database = open(64)) {
      Sql sql = new Sql(database);
      shouldNotGrow(
          sql,
          database,
          () -> {
            sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(20))");
            fill(sql, "t");
            String changes =
                "ALTER TABLE t ADD COLUMN w INTEGER AS (id * 2), ADD CONSTRAINT u UNIQUE (w),"
                    + " DROP PRIMARY KEY, ADD CONSTRAINT k UNIQUE (id)";
            assertThrows(
                NelumboException.class,
                () -> sql.run(changes + ", ADD CONSTRAINT few CHECK (id < 9)"));
            sql.run(changes, "DROP TABLE t");
          });
    }
  }

  @Test
  void shouldCopyTheRowsOnceForColumnsThatChangeTogether() {
    long one = takenBy("ADD COLUMN a INTEGER");
    long six =
        takenBy(
            "ADD COLUMN a INTEGER, ADD COLUMN b INTEGER, DROP COLUMN w, ADD COLUMN c INTEGER,"
                + " ALTER COLUMN v SET DATA TYPE VARCHAR(200), ALTER COLUMN v SET NOT NULL");
    assertTrue(six <= one * 3 / 2, () -> "one change took " + one + ", six took " + six);
  }

  /** Returns the growth of the pool by a change, which needs the rows twice until it ends. */
  private static long takenBy(String changes) {
    try (LocalDatabase database = open(64);
        Sql sql = new Sql(database)) {
      sql.run(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(150), w INTEGER)",
          "INSERT INTO t WITH RECURSIVE r (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n"
              + " < 15000) SELECT n, REPEAT('x', 100), n FROM r");
      long before = database.engine().takenBytes();
      sql.run("ALTER TABLE t " + changes);
      assertEquals(List.of("15000"), sql.query("SELECT COUNT(*) FROM t WHERE v LIKE 'x%'"));
      return database.engine().takenBytes() - before;
    }
  }

  @Test
  void shouldNotGrowByUnorderedTables() {
    try (LocalDatabase database = open(64)) {
      Sql sql = new Sql(database);
      shouldNotGrow(
          sql,
          database,
          () -> {
            sql.run(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(20))"
                    + " WITH (ordered = false, versions = 3)");
            fill(sql, "t");
            sql.run("DROP TABLE t");
          });
    }
  }

  @Test
  void shouldNotGrowByTruncateAlterAndIndexes() {
    try (LocalDatabase database = open(64)) {
      Sql sql = new Sql(database);
      sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(20))");
      shouldNotGrow(
          sql,
          database,
          () -> {
            fill(sql, "t");
            sql.run("CREATE INDEX t_v ON t (v)", "ALTER TABLE t ADD COLUMN w BIGINT DEFAULT 5");
            sql.run("UPDATE t SET v = 'same' WHERE id < 10", "DROP INDEX t_v");
            assertThrows(NelumboException.class, () -> sql.run("CREATE UNIQUE INDEX t_v ON t (v)"));
            assertThrows(
                NelumboException.class,
                () -> sql.run("ALTER TABLE t ALTER COLUMN v SET DATA TYPE INTEGER"));
            sql.run("ALTER TABLE t DROP COLUMN w", "TRUNCATE TABLE t");
          });
    }
  }

  private static int fillUp(Sql sql, String table) {
    for (int i = 0; ; i++) {
      try {
        sql.update("INSERT INTO " + table + " VALUES (?, ?)", i, "row " + i);
      } catch (NelumboException e) {
        assertEquals(ErrorCode.POOL_FULL, e.code());
        return i;
      }
    }
  }

  @Test
  void shouldUseExhaustedPoolAgainAfterDrop() {
    try (LocalDatabase database = open(8);
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE kept (id INTEGER PRIMARY KEY, v VARCHAR(20))");
      fill(sql, "kept");
      sql.run("CREATE TABLE big (id INTEGER PRIMARY KEY, v VARCHAR(20))");
      int rows = fillUp(sql, "big");
      assertTrue(rows > ROWS, "rows=" + rows);
      assertEquals(List.of(rows + ""), sql.query("SELECT COUNT(*) FROM big"));
      assertFails(
          ErrorCode.POOL_FULL,
          () -> sql.run("ALTER TABLE kept ADD COLUMN w VARCHAR(20) DEFAULT 'something'"));
      assertEquals(List.of(ROWS + ""), sql.query("SELECT COUNT(*) FROM kept"));
      sql.run("DROP TABLE big");
      sql.run("ALTER TABLE kept ADD COLUMN w VARCHAR(20) DEFAULT 'something'");
      sql.run("CREATE TABLE big (id INTEGER PRIMARY KEY, v VARCHAR(20))");
      int again = fillUp(sql, "big");
      assertTrue(again > rows * 0.8, "rows=" + rows + " again=" + again);
      sql.run("TRUNCATE TABLE big", "INSERT INTO big VALUES (1, 'one')");
      assertEquals(List.of("1 one"), sql.query("SELECT * FROM big"));
      assertEquals(
          List.of(ROWS + " row 1234 something"),
          sql.query("SELECT (SELECT COUNT(*) FROM kept), v, w FROM kept WHERE id = 1234"));
    }
  }

  /** A dropped index frees memory, and the catalog can record the drop even in a full pool. */
  @Test
  void shouldDropIndexAndTruncateInFullPool() {
    try (LocalDatabase database = open(4);
        Sql sql = new Sql(database)) {
      sql.run(
          "CREATE TABLE big (id INTEGER PRIMARY KEY, v VARCHAR(20))",
          "CREATE INDEX big_v ON big (v)");
      int rows = fillUp(sql, "big");
      sql.run("DROP INDEX big_v", "INSERT INTO big VALUES (-1, 'one more')");
      assertEquals(List.of((rows + 1) + ""), sql.query("SELECT COUNT(*) FROM big"));
      for (int round = 0; round < 3; round++) {
        sql.run("TRUNCATE TABLE big");
        int again = fillUp(sql, "big");
        String account = database.engine().poolUsage().toString();
        assertTrue(again > rows, () -> "rows=" + rows + " again=" + again + " " + account);
      }
    }
  }
}
