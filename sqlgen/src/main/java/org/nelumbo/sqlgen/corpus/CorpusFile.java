package org.nelumbo.sqlgen.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Done;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Expectation;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Failure;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Rows;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Sorting;

/**
 * A file of the corpus. Records are separated by empty lines; {@code skipif} and {@code onlyif}
 * exclude records for other databases. The values of a row are on separate lines, or on one line
 * with tabs between them.
 */
final class CorpusFile {
  private static final String FIRST_SESSION = "default";

  private final BufferedReader in;
  private final String dialect;
  private int lineNumber;

  private CorpusFile(BufferedReader in, String dialect) {
    this.in = in;
    this.dialect = dialect;
  }

  /** Reads the records of a file for a dialect, up to {@code halt}. */
  static List<CorpusRecord> read(BufferedReader in, String dialect) throws IOException {
    return new CorpusFile(in, dialect).read();
  }

  private List<CorpusRecord> read() throws IOException {
    List<CorpusRecord> records = new ArrayList<>();
    boolean wanted = true;
    String session = FIRST_SESSION;
    for (String line = next(); line != null; line = next()) {
      String[] words = line.split("\\s+");
      switch (words[0]) {
        case "skipif" -> wanted &= !words[1].equals(dialect);
        case "onlyif" -> wanted &= words[1].equals(dialect);
        case "connection" -> session = words[1];
        case "statement", "query" -> {
          CorpusRecord found =
              words[0].equals("query") ? query(session, words) : statement(session, words);
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

  private CorpusRecord statement(String session, String[] words) throws IOException {
    int first = lineNumber;
    Expectation expected =
        switch (words[1]) {
          case "error" -> new Failure(words.length > 2 ? words[2] : "");
          case "count" -> new Done(Long.parseLong(words[2]));
          default -> new Done(Done.ANY);
        };
    StringBuilder sql = new StringBuilder();
    for (String line = next(); line != null && !line.isBlank(); line = next()) {
      append(sql, line);
    }
    return new CorpusRecord(first, session, sql.toString(), expected);
  }

  private CorpusRecord query(String session, String[] words) throws IOException {
    int first = lineNumber;
    StringBuilder sql = new StringBuilder();
    String line = next();
    for (; line != null && !line.isBlank() && !line.startsWith("----"); line = next()) {
      append(sql, line);
    }
    List<String> values = new ArrayList<>();
    if (line != null && line.startsWith("----")) {
      for (line = next(); line != null && !line.isBlank(); line = next()) {
        Collections.addAll(values, line.split("\t", -1));
      }
    }
    Sorting sorting =
        words.length > 2 ? Sorting.valueOf(words[2].toUpperCase(Locale.ROOT)) : Sorting.NOSORT;
    return new CorpusRecord(first, session, sql.toString(), new Rows(words[1], sorting, values));
  }

  private static void append(StringBuilder sql, String line) {
    int comment = line.indexOf(" #");
    String text = comment >= 0 && line.indexOf('\'') < 0 ? line.substring(0, comment) : line;
    sql.append(sql.isEmpty() ? "" : "\n").append(text);
  }
}
