package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.error.NelumboException;

/** Databases in files whose memory was kept when they were closed. */
@Timeout(120)
class MemoryImageTest {
  private static final int BLOCK = 4096;
  private static final int ROWS = 3_000;
  private static final String SUM = "SELECT COUNT(*) || ' ' || SUM(b) FROM t";

  private final DatabaseOptions options = DatabaseOptions.defaults().withMemoryBytes(32L << 20);

  @TempDir private Path place;

  @BeforeEach
  void make() {
    run("CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER, c VARCHAR(100))");
    run("CREATE INDEX by_b ON t (b)");
    run("INSERT INTO t SELECT x, x, 'text of ' || x FROM GENERATE_SERIES(1, " + ROWS + ") AS g(x)");
  }

  private Path files() {
    return place.resolve("files");
  }

  private void run(String statement) {
    try (LocalDatabase database = DatabaseOpener.openFile(options, files());
        Sql sql = new Sql(database)) {
      sql.run(statement);
    }
  }

  private static String text(LocalDatabase database, String query) {
    try (Sql sql = new Sql(database)) {
      return sql.query(query).getFirst();
    }
  }

  private String text(Path directory, String query) {
    try (LocalDatabase database = DatabaseOpener.openFile(options, directory)) {
      return text(database, query);
    }
  }

  private static String sum(int rows) {
    return rows + " " + (long) rows * (rows + 1) / 2;
  }

  private byte[] memory() throws IOException {
    return Files.readAllBytes(files().resolve("MEMORY"));
  }

  /**
   * Damages the rows in the log: loading the rows fails, and opening by the kept memory does not
   * read them.
   */
  private void spoilRows() throws IOException {
    Path log = files().resolve("redo-0000000000000000");
    byte[] bytes = Files.readAllBytes(log);
    bytes[BLOCK + 60]++;
    Files.write(log, bytes);
  }

  @Test
  void shouldOpenByTheMemoryThatWasKept() throws IOException {
    spoilRows();
    for (int i = 1; i <= 3; i++) {
      int a = ROWS + i;
      run("INSERT INTO t VALUES (" + a + ", " + a + ", 'more')");
      assertEquals(sum(a), text(files(), SUM));
      assertEquals("1", text(files(), "SELECT COUNT(*) FROM t WHERE b = " + a));
    }
    run("CREATE TABLE u (a INTEGER PRIMARY KEY)");
    assertEquals("0", text(files(), "SELECT COUNT(*) FROM u"));
  }

  @Test
  void shouldNotRewriteMemoryImageIfNothingWasCommitted() throws IOException {
    spoilRows();
    byte[] before = memory();
    for (int i = 0; i < 2; i++) {
      assertEquals(sum(ROWS), text(files(), SUM));
      byte[] after = memory();
      assertFalse(Arrays.equals(before, after), "it is not good for another run");
      assertArrayEquals(
          Arrays.copyOfRange(before, BLOCK, before.length),
          Arrays.copyOfRange(after, BLOCK, after.length));
    }
  }

  @Test
  void shouldLoadRowsIfItWasNotClosedInOrder() throws IOException {
    Path copy = place.resolve("copy");
    try (LocalDatabase database = DatabaseOpener.openFile(options, files());
        Sql sql = new Sql(database)) {
      sql.run("INSERT INTO t VALUES (" + (ROWS + 1) + ", " + (ROWS + 1) + ", 'more')");
      copy(files(), copy);
      sql.run("DELETE FROM t WHERE a = 1");
    }
    assertEquals(sum(ROWS + 1), text(copy, SUM));
    assertEquals(sum(ROWS + 1), text(copy, SUM)); // from the kept memory
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> all = Files.list(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void shouldLoadRowsIntoMemoryOfAnotherSize() {
    DatabaseOptions larger = options.withMemoryBytes(48L << 20);
    try (LocalDatabase database = DatabaseOpener.openFile(larger, files())) {
      assertEquals(sum(ROWS), text(database, SUM));
    }
    assertEquals(sum(ROWS), text(files(), SUM));
  }

  @Test
  void shouldNotReturnRowsOfDamagedMemoryImage() throws IOException {
    String whole = new String(memory(), StandardCharsets.ISO_8859_1);
    String damaged = whole.replace("text of 17", "lies of 17");
    assertNotEquals(whole, damaged);
    Files.write(files().resolve("MEMORY"), damaged.getBytes(StandardCharsets.ISO_8859_1));
    String query = "SELECT COUNT(*) FROM t WHERE c LIKE 'text of %'";
    try {
      assertEquals("" + ROWS, text(files(), query));
    } catch (NelumboException e) {
      assertEquals("08006", e.sqlState());
      assertTrue(e.getMessage().contains("MEMORY"), e.getMessage());
    }
    assertEquals("" + ROWS, text(files(), query));
  }

  @Test
  void shouldIgnoreOutdatedMemoryImage() throws IOException {
    byte[] earlier = memory();
    run("DELETE FROM t WHERE a = " + ROWS);
    Files.write(files().resolve("MEMORY"), earlier);
    assertEquals(sum(ROWS - 1), text(files(), SUM));
  }

  @Test
  void shouldReportDamagedRowsIfMemoryImageIsMissing() throws IOException {
    Files.delete(files().resolve("MEMORY"));
    spoilRows();
    NelumboException damaged = assertThrows(NelumboException.class, () -> text(files(), SUM));
    assertEquals("XX001", damaged.sqlState());
  }
}
