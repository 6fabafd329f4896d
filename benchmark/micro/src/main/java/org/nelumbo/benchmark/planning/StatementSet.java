package org.nelumbo.benchmark.planning;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The statements of a file in the format of sqllogictest, without its expected results.
 *
 * @param name name of the set in the output
 */
record StatementSet(String name, List<String> statements) {
  private static final String DIALECT = "postgresql";
  private static final String ENDING = ".test";

  StatementSet {
    statements = List.copyOf(statements);
  }

  /**
   * Reads a set: a part of the program by its name, a file, or {@code JAR!ENTRY}.
   *
   * @param limit number of statements that are read, without definitions
   */
  static StatementSet of(String place, int limit) throws IOException {
    int mark = place.indexOf('!');
    if (mark >= 0) {
      try (ZipFile jar = new ZipFile(place.substring(0, mark))) {
        ZipEntry entry = jar.getEntry(place.substring(mark + 1));
        if (entry == null) {
          throw new IOException("no such entry");
        }
        return read(place, jar.getInputStream(entry), limit);
      }
    }
    InputStream own = StatementSet.class.getResourceAsStream("/planning/" + place + ENDING);
    return read(place, own == null ? Files.newInputStream(Path.of(place)) : own, limit);
  }

  private static StatementSet read(String place, InputStream file, int limit) throws IOException {
    List<String> statements = new ArrayList<>();
    int measured = 0;
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      boolean isWanted = true;
      for (String line = in.readLine(); line != null && measured < limit; line = in.readLine()) {
        String[] words = line.split("\\s+", -1);
        switch (words[0]) {
          case "skipif" -> isWanted &= !words[1].equals(DIALECT);
          case "onlyif" -> isWanted &= words[1].equals(DIALECT);
          case "statement", "query" -> {
            String text = text(in);
            if (isWanted && !words[1].equals("error")) {
              statements.add(text);
              measured += isDefinition(text) ? 0 : 1;
            }
            isWanted = true;
          }
          default -> {}
        }
      }
    }
    return new StatementSet(name(place), statements);
  }

  private static String name(String place) {
    String path = place.substring(place.indexOf('!') + 1);
    return path.endsWith(ENDING) ? path.substring(0, path.length() - ENDING.length()) : path;
  }

  private static String text(BufferedReader in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line = in.readLine();
        line != null && !line.isBlank() && !line.startsWith("----");
        line = in.readLine()) {
      text.append(text.isEmpty() ? "" : "\n").append(line);
    }
    return text.toString();
  }

  /** Returns true if a statement is a command that defines objects; it is not measured. */
  static boolean isDefinition(String sql) {
    return switch (sql.split("\\s+", 2)[0].toUpperCase(Locale.ROOT)) {
      case "CREATE", "ALTER", "DROP" -> true;
      default -> false;
    };
  }
}
