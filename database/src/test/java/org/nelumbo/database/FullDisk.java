package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.database.Failures.assertFails;

import java.io.File;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.SessionOptions;

/**
 * The program of {@link FullDiskTest}: runs statements that exceed their memory limit while the
 * size of files is limited to the first argument.
 */
final class FullDisk {
  private static final int ROWS = 20_000;
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM t ORDER BY s DESC, id",
          "SELECT s, k, COUNT(*) FROM t GROUP BY s, k",
          "SELECT s, k FROM t EXCEPT SELECT s, id FROM t",
          "SELECT COUNT(*) FROM t JOIN t u ON t.s || '' = u.s || ''");

  private FullDisk() {}

  public static void main(String[] directory) {
    SessionOptions little = SessionOptions.defaults().withMaxStatementMemory(350 << 10);
    try (Database database = Sql.memory();
        Sql sql = new Sql(database.connect(little))) {
      fill(new Sql(database));
      for (String statement : STATEMENTS) {
        assertFails(
            ErrorCode.DISK_FULL,
            "could not use the temporary file " + directory[0],
            () -> sql.query(statement));
        assertEquals(List.of(String.valueOf(ROWS)), sql.query("SELECT COUNT(*) FROM t"));
      }
      String[] left = new File(directory[0]).list();
      assertTrue(left.length == 0, () -> String.join(", ", left));
    }
  }

  private static void fill(Sql sql) {
    sql.run("CREATE TABLE t (id INTEGER PRIMARY KEY, k INTEGER, s VARCHAR(200))");
    for (int from = 0; from < ROWS; from += 1000) {
      sql.run(
          "INSERT INTO t VALUES "
              + Sql.rows(from, from + 1000, i -> i + ", " + i + ", '" + "x".repeat(150) + i + "'"));
    }
  }
}
