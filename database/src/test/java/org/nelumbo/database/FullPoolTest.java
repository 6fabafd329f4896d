package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * A full pool: memory of deleted rows is available to transactions that insert immediately
 * afterwards.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FullPoolTest {
  private static final String FILLER = "x".repeat(4000);
  private static final int TOGETHER = 50;

  private static Database open() {
    return DatabaseOpener.openMemory(DatabaseOptions.defaults().withMemoryBytes(4L << 20));
  }

  /** Inserts rows until the pool is full and returns their number. */
  private static int fill(Sql sql) {
    for (int id = 0; ; id++) {
      try {
        sql.update("INSERT INTO t VALUES (?, ?)", id, FILLER);
      } catch (NelumboException e) {
        assertEquals(ErrorCode.POOL_FULL, e.code(), e::getMessage);
        return id;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldReuseMemoryOfDeletedRowsImmediately(boolean autoCommit) {
    try (Database database = open();
        Sql deleting = new Sql(database);
        Sql inserting = new Sql(database)) {
      deleting.run("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(4000))");
      int rows = fill(deleting);
      assertTrue(rows > 5 * TOGETHER, "rows=" + rows);
      inserting.session().setAutoCommit(autoCommit);
      for (int round = 0; round < 3; round++) {
        for (int from = 0; from < rows / 2; from += TOGETHER) {
          deleting.update("DELETE FROM t WHERE id >= ? AND id < ?", from, from + TOGETHER);
        }
        for (int id = 0; id < rows * 2 / 5; id++) {
          inserting.update("INSERT INTO t VALUES (?, ?)", id, FILLER);
          if (!autoCommit && id % TOGETHER == 0) {
            inserting.session().commit();
          }
        }
        if (!autoCommit) {
          inserting.session().commit();
        }
      }
      int deleted = (rows / 2 + TOGETHER - 1) / TOGETHER * TOGETHER;
      assertEquals(
          List.of(rows - deleted + rows * 2 / 5 + ""), deleting.query("SELECT COUNT(*) FROM t"));
    }
  }

  @Test
  void shouldReportFullPoolWhileSnapshotRetainsRows() {
    try (Database database = open();
        Sql sql = new Sql(database);
        Sql reader = Sql.transactions(database)) {
      sql.run("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(4000))");
      int rows = fill(sql);
      reader.session().setReadOnly(true);
      assertEquals("[" + rows + "]", reader.query("SELECT COUNT(*) FROM t").toString());
      for (int from = 0; from < rows; from += TOGETHER) {
        sql.update("DELETE FROM t WHERE id >= ? AND id < ?", from, from + TOGETHER);
      }
      assertFails(ErrorCode.POOL_FULL, () -> fillAgain(sql, rows, rows));
      assertEquals("[" + rows + "]", reader.query("SELECT COUNT(*) FROM t").toString());
      reader.session().commit();
      fillAgain(sql, 3 * rows, rows / 2);
    }
  }

  private static void fillAgain(Sql sql, int from, int rows) {
    for (int id = from; id < from + rows; id++) {
      sql.update("INSERT INTO t VALUES (?, ?)", id, FILLER);
    }
  }
}
