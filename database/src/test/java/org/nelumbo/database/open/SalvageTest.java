package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.Database;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.redo.RedoOptions;
import org.nelumbo.error.NelumboException;

/** RESTORE ... SALVAGE when single commits are lost. */
@Timeout(60)
class SalvageTest {
  @TempDir private Path place;

  private final DatabaseOptions options =
      DatabaseOptions.defaults()
          .withMemoryBytes(16L << 20)
          .withRedo(RedoOptions.DEFAULT.withSegmentBytes(1 << 20));

  private final byte[][] seen = new byte[2][];

  private Path files() {
    return place.resolve("files");
  }

  private Path log() {
    return files().resolve("redo-0000000000000000");
  }

  /** Runs statements whose commits are lost when {@link #damage} is called. */
  private void lose(Sql sql, String... statements) throws IOException {
    sql.run("INSERT INTO marks VALUES (1)", "DELETE FROM marks");
    seen[0] = Files.readAllBytes(log());
    sql.run(statements);
    seen[1] = Files.readAllBytes(log());
  }

  private void damage() throws IOException {
    int first = Arrays.mismatch(seen[0], seen[1]);
    int last = seen[0].length - 1;
    while (seen[0][last] == seen[1][last]) {
      last--;
    }
    byte[] bytes = Files.readAllBytes(log());
    Arrays.fill(bytes, first, last + 1, (byte) 0);
    Files.write(log(), bytes);
    Files.delete(files().resolve("MEMORY")); // with it, opening would skip that part
    NelumboException refused =
        assertThrows(NelumboException.class, () -> DatabaseOpener.openFile(options, files()));
    assertEquals("XX001", refused.sqlState());
  }

  private Sql salvage(Database database) {
    return new Sql(database).run("RESTORE FROM '" + files() + "' SALVAGE");
  }

  private static void assertNames(Sql sql, String... words) {
    List<String> findings = sql.query("SELECT table_name, object_name, problem FROM SYS.FINDINGS");
    for (String word : words) {
      assertTrue(findings.stream().anyMatch(line -> line.contains(word)), findings.toString());
    }
  }

  @Test
  void shouldOmitUniqueIndexWithDuplicateValues() throws IOException {
    try (LocalDatabase database = DatabaseOpener.openFile(options, files());
        Sql sql = new Sql(database)) {
      sql.run(
          "CREATE TABLE marks (a INT)",
          "CREATE TABLE t (a INT PRIMARY KEY, v VARCHAR(9) UNIQUE, w INT UNIQUE)",
          "CREATE TABLE c (v VARCHAR(9) REFERENCES t (v), w INT REFERENCES t (w))",
          "INSERT INTO t VALUES (1, 'same', 1), (3, 'other', 3)");
      lose(sql, "DELETE FROM t WHERE a = 1");
      sql.run("INSERT INTO t VALUES (2, 'same', 2)", "INSERT INTO c VALUES ('same', 2)");
    }
    damage();
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = salvage(database)) {
      assertNames(sql, "redo-0000000000000000 offset=", "T T_V_KEY", "C C_V_FKEY");
      assertEquals(
          List.of("1 same 1", "2 same 2", "3 other 3"),
          sql.query("SELECT a || ' ' || v || ' ' || w FROM t ORDER BY a"));
      assertEquals("23505", state(() -> sql.run("INSERT INTO t VALUES (4, 'x', 2)")));
      assertEquals("23503", state(() -> sql.run("INSERT INTO c VALUES (NULL, 99)")));
      sql.run("CHECK DATABASE");
    }
  }

  private static String state(Runnable statement) {
    return assertThrows(NelumboException.class, statement::run).sqlState();
  }

  @Test
  void shouldDoWithoutATableAndASchemaThatAreLost() throws IOException {
    try (LocalDatabase database = DatabaseOpener.openFile(options, files());
        Sql sql = new Sql(database)) {
      sql.run("CREATE TABLE marks (a INT)");
      lose(sql, "CREATE SCHEMA s", "CREATE TABLE p (a INT PRIMARY KEY)");
      sql.run(
          "CREATE TABLE s.c (a INT REFERENCES p, b INT)",
          "CREATE VIEW w AS SELECT a FROM p",
          "INSERT INTO p VALUES (1)",
          "INSERT INTO s.c VALUES (1, 2)");
    }
    damage();
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = salvage(database)) {
      assertNames(sql, "schema S is created again", "C C_A_FKEY", "rows=1 store=");
      assertEquals(List.of("1 2"), sql.query("SELECT a || ' ' || b FROM s.c"));
      assertEquals("42S02", state(() -> sql.query("SELECT * FROM p")));
      sql.run("CREATE TABLE p (a INT PRIMARY KEY)", "INSERT INTO p VALUES (7)");
      assertEquals(List.of("7"), sql.query("SELECT * FROM w"));
    }
  }

  @Test
  void shouldNotReuseIdentityValuesAfterSalvage() throws IOException {
    try (LocalDatabase database = DatabaseOpener.openFile(options, files());
        Sql sql = new Sql(database)) {
      sql.run(
          "CREATE TABLE marks (a INT PRIMARY KEY)",
          "CREATE TABLE t (a INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, v INT)",
          "CREATE TABLE bare (v INT)");
      lose(sql, "INSERT INTO t (v) VALUES (1), (2)", "INSERT INTO bare VALUES (1), (2)");
      sql.run("INSERT INTO t (v) VALUES (3), (4)", "INSERT INTO bare VALUES (3), (4)");
    }
    damage();
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = salvage(database)) {
      sql.run("INSERT INTO t (v) VALUES (5), (6), (7)", "INSERT INTO bare VALUES (5), (6), (7)");
      assertEquals(List.of("3", "4", "5", "6", "7"), sql.query("SELECT v FROM t ORDER BY a"));
      assertEquals(List.of("5"), sql.query("SELECT COUNT(*) FROM bare"));
      sql.run("CHECK DATABASE");
    }
  }

  @Test
  void shouldRejectInvalidSourceAndNonEmptyTarget() throws IOException {
    Files.createDirectories(files());
    try (Database database = DatabaseOpener.openMemory(options);
        Sql sql = new Sql(database)) {
      assertEquals("22023", state(() -> sql.run("RESTORE FROM '" + files() + "' SALVAGE")));
      sql.run("CREATE TABLE t (a INT)");
      assertEquals("42S01", state(() -> sql.run("RESTORE FROM '" + files() + "' SALVAGE")));
    }
  }
}
