package org.nelumbo.sqlgen.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Sorting;

/**
 * A file of the corpus. Records are separated by empty lines; {@code skipif} and {@code onlyif}
 * leave out what is meant for other databases.
 */
final class CorpusFile {
  /** The dialect of the corpus that is nearest to ours. */
  private static final String DIALECT = "postgresql";

  private final BufferedReader in;
  private int lineNumber;

  private CorpusFile(BufferedReader in) {
    this.in = in;
  }

  /** The records of a file that are meant for us, up to {@code halt}. */
  static List<CorpusRecord> read(BufferedReader in) throws IOException {
    return new CorpusFile(in).read();
  }

  private List<CorpusRecord> read() throws IOException {
    List<CorpusRecord> records = new ArrayList<>();
    boolean wanted = true;
    for (String line = next(); line != null; line = next()) {
      String[] words = line.split("\\s+");
      switch (words[0]) {
        case "skipif" -> wanted &= !words[1].equals(DIALECT);
        case "onlyif" -> wanted &= words[1].equals(DIALECT);
        case "statement", "query" -> {
          CorpusRecord found =
              words[0].equals("query") ? query(words) : statement(words[1].equals("error"));
          if (wanted) {
            records.add(found);
          }
          wanted = true;
        }
        case "halt" -> {
          if (wanted) {
            return records;
          }
          wanted = true;
        }
        default -> {}
      }
    }
    return records;
  }

  private String next() throws IOException {
    lineNumber++;
    return in.readLine();
  }

  private CorpusRecord statement(boolean fails) throws IOException {
    int first = lineNumber;
    StringBuilder sql = new StringBuilder();
    for (String line = next(); line != null && !line.isBlank(); line = next()) {
      append(sql, line);
    }
    return new CorpusRecord(first, sql.toString(), null, null, null, fails);
  }

  private CorpusRecord query(String[] words) throws IOException {
    int first = lineNumber;
    StringBuilder sql = new StringBuilder();
    String line = next();
    for (; line != null && !line.isBlank() && !line.startsWith("----"); line = next()) {
      append(sql, line);
    }
    List<String> expected = new ArrayList<>();
    if (line != null && line.startsWith("----")) {
      for (line = next(); line != null && !line.isBlank(); line = next()) {
        expected.add(line);
      }
    }
    Sorting sorting =
        words.length > 2 ? Sorting.valueOf(words[2].toUpperCase(Locale.ROOT)) : Sorting.NOSORT;
    return new CorpusRecord(first, sql.toString(), words[1], sorting, expected, false);
  }

  private static void append(StringBuilder sql, String line) {
    int comment = line.indexOf(" #");
    String text = comment >= 0 && line.indexOf('\'') < 0 ? line.substring(0, comment) : line;
    sql.append(sql.isEmpty() ? "" : "\n").append(text);
  }
}
