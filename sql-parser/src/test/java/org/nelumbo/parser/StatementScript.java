package org.nelumbo.parser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A text file of examples: SQL, then {@code =>} and the expected result, separated by blank lines.
 * Lines that start with # are comments. Run the tests with {@code -Dnelumbo.rewrite=true} to write
 * the actual results into the files, and review the difference.
 */
final class StatementScript {
  private static final Path FOLDER = Path.of("src/test/resources/sql");
  private static final boolean REWRITE = Boolean.getBoolean("nelumbo.rewrite");

  /** An example: the text and the expected result, which is null if none was written yet. */
  record Example(String sql, String expected) {}

  private StatementScript() {}

  static List<Example> read(String file) {
    List<Example> examples = new ArrayList<>();
    for (String block : blocks(file)) {
      Example example = example(block);
      if (example != null) {
        examples.add(example);
      }
    }
    return examples;
  }

  /**
   * Writes the actual results into the file if the system property requests it, and returns true in
   * that case.
   */
  static boolean rewrite(String file, java.util.function.UnaryOperator<String> outcome) {
    if (!REWRITE) {
      return false;
    }
    StringBuilder text = new StringBuilder();
    for (String block : blocks(file)) {
      Example example = example(block);
      text.append(text.isEmpty() ? "" : "\n");
      text.append(
          example == null
              ? block + "\n"
              : example.sql() + "\n=> " + outcome.apply(example.sql()) + "\n");
    }
    try {
      Files.writeString(FOLDER.resolve(file), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return true;
  }

  private static String[] blocks(String file) {
    try {
      return Files.readString(FOLDER.resolve(file)).strip().split("\n\n+");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Example example(String block) {
    if (block.startsWith("#")) {
      return null;
    }
    int arrow = block.indexOf("\n=> ");
    return arrow < 0
        ? new Example(block, null)
        : new Example(block.substring(0, arrow), block.substring(arrow + 4));
  }
}
