package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A text file of SQL statements and their expected results. Blocks are separated by empty lines.
 * Each block is a statement, a line of four hyphens, and the expected text. Lines that start with
 * {@code #} are comments. With {@code -Dnelumbo.rewrite=true} the actual results are written into
 * the file instead; read the difference before committing it.
 */
final class ScriptFile {
  private static final String SEPARATOR = "----";

  private final Path path;

  private ScriptFile(Path path) {
    this.path = path;
  }

  static Stream<ScriptFile> in(String folder) {
    try {
      List<Path> paths;
      try (Stream<Path> files = Files.list(Path.of("src/test/resources", folder))) {
        paths = files.filter(file -> file.toString().endsWith(".test")).sorted().toList();
      }
      return paths.stream().map(ScriptFile::new);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Runs all blocks.
   *
   * @param runner returns the result of a statement
   */
  void run(Function<String, String> runner) {
    List<String> written = new ArrayList<>();
    String expected = read();
    for (String block : expected.strip().split("\n\\s*\n", -1)) {
      written.add(run(block, runner));
    }
    String actual = String.join("\n\n", written) + "\n";
    if (Boolean.getBoolean("nelumbo.rewrite")) {
      write(actual);
    } else {
      assertEquals(expected, actual);
    }
  }

  private static String run(String block, Function<String, String> runner) {
    StringBuilder comment = new StringBuilder();
    StringBuilder sql = new StringBuilder();
    for (String line : block.lines().toList()) {
      if (line.equals(SEPARATOR)) {
        break;
      }
      (line.startsWith("#") ? comment : sql).append(line).append('\n');
    }
    if (sql.toString().isBlank()) {
      return block;
    }
    String result = runner.apply(sql.toString().strip()).strip();
    return comment + sql.toString().strip() + "\n" + SEPARATOR + "\n" + result;
  }

  private String read() {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String text) {
    try {
      Files.writeString(path, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return path.getFileName().toString();
  }
}
