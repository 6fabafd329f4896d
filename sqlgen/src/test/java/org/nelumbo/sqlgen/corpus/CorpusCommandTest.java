package org.nelumbo.sqlgen.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(120)
class CorpusCommandTest {
  private static final String FILE =
      """
      statement ok
      CREATE TABLE t (a INTEGER, b VARCHAR(10))

      statement ok
      INSERT INTO t VALUES (1, 'x'), (2, '')

      statement error
      INSERT INTO u VALUES (1)

      skipif postgresql # not meant for us
      query I nosort
      SELECT nothing
      ----
      1

      query IT rowsort
      SELECT a, b FROM t
      ----
      1
      x
      2
      (empty)

      query IR nosort label
      SELECT a + 1, a / 2.0
        FROM t ORDER BY a
      ----
      4 values hashing to 3a0b1a8f1f4f2e4f5f3f0c9d0c5a1d11

      query III nosort
      SELECT b, '12x', '-7' FROM t WHERE a = 1
      ----
      0
      12
      -7

      query I valuesort
      SELECT a FROM t
      ----
      2
      1
      """;

  @TempDir private Path folder;
  private boolean hasOther;

  private int run(StringWriter out, String... arguments) throws IOException {
    Path jar = folder.resolve("corpus.jar");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      zip.putNextEntry(new ZipEntry("test/small.test"));
      zip.write(FILE.getBytes(StandardCharsets.UTF_8));
      if (hasOther) {
        zip.putNextEntry(new ZipEntry("test/other.test"));
        zip.write("query I nosort\nSELECT 1\n----\n1\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    CommandLine command = new CommandLine(new CorpusCommand()).setOut(new PrintWriter(out));
    String[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = jar.toString();
    return command.execute(all);
  }

  @Test
  void shouldReportDifferingResults() throws IOException {
    StringWriter out = new StringWriter();
    assertEquals(1, run(out, "--examples", "9"), out::toString);
    String text = out.toString();
    assertTrue(text.contains("2 x result"), text);
    assertTrue(text.contains("[1, 2] instead of [2, 1]"), text);
    assertTrue(text.contains("queries=4 passed=2"), text);
  }

  @Test
  void shouldRunOnlySelectedFilesAndQueries() throws IOException {
    hasOther = true;
    StringWriter out = new StringWriter();
    assertEquals(0, run(out, "--queries", "1", "--files", "small"), out::toString);
    assertTrue(out.toString().contains("queries=1 passed=1"), out::toString);
    StringWriter other = new StringWriter();
    assertEquals(0, run(other, "--files", "other"), other::toString);
    assertTrue(other.toString().contains("queries=1 passed=1"), other::toString);
    StringWriter both = new StringWriter();
    assertEquals(1, run(both), both::toString);
    assertTrue(both.toString().contains("queries=5 passed=3"), both::toString);
    assertEquals(2, run(out, "--every", "0"));
  }

  @Test
  void shouldNameADatabaseWithoutASpace() throws IOException {
    StringWriter out = new StringWriter();
    String[] one = {"--queries", "1", "--files", "small", "--database", "jdbc:h2:mem:a b"};
    assertEquals(0, run(out, one), out::toString);
    assertTrue(out.toString().contains(" database=jdbc:h2:mem:a%20b queries=1 "), out::toString);
  }
}
