package org.nelumbo.sqlgen.corpus;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Sorting;

/** Runs records of the corpus on a connection, compares results, and counts. */
final class CorpusRun {
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  /** Of statements that failed or answered otherwise, how many of each kind. */
  private final Map<String, Integer> findings = new TreeMap<>();

  private final List<String> examples = new ArrayList<>();
  private final int examplesMax;
  private long queries;
  private long passed;
  private long nanos;
  private long cpuNanos;

  CorpusRun(int examplesMax) {
    this.examplesMax = examplesMax;
  }

  /** Runs at most so many queries of a file, and all statements between them. */
  void run(Connection connection, String file, List<CorpusRecord> records, long most)
      throws SQLException {
    long begun = queries;
    try (Statement statement = connection.createStatement()) {
      for (CorpusRecord each : records) {
        if (queries - begun >= most) {
          return;
        }
        if (each.isQuery()) {
          query(statement, file, each);
        } else {
          change(statement, file, each);
        }
      }
    }
  }

  private void change(Statement statement, String file, CorpusRecord change) {
    try {
      statement.execute(change.sql());
      if (change.fails()) {
        found("did not fail", file, change, "");
      }
    } catch (SQLException e) {
      if (!change.fails()) {
        found("statement " + e.getSQLState(), file, change, e.getMessage());
      }
    }
  }

  private void query(Statement statement, String file, CorpusRecord query) {
    queries++;
    long wall = System.nanoTime();
    long cpu = threads.getCurrentThreadCpuTime();
    String[][] rows;
    try {
      rows = rows(statement, query);
    } catch (SQLException e) {
      found("query " + e.getSQLState(), file, query, e.getMessage());
      return;
    } finally {
      cpuNanos += threads.getCurrentThreadCpuTime() - cpu;
      nanos += System.nanoTime() - wall;
    }
    String difference = difference(rows, query);
    if (difference == null) {
      passed++;
    } else {
      found("result", file, query, difference);
    }
  }

  private static String[][] rows(Statement statement, CorpusRecord query) throws SQLException {
    try (ResultSet result = statement.executeQuery(query.sql())) {
      int columns = query.types().length();
      if (result.getMetaData().getColumnCount() != columns) {
        throw new SQLException("the result has another number of columns", "COLUMNS");
      }
      List<String[]> rows = new ArrayList<>();
      while (result.next()) {
        String[] row = new String[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = value(result, i + 1, query.types().charAt(i));
        }
        rows.add(row);
      }
      return rows.toArray(String[][]::new);
    }
  }

  private static String value(ResultSet result, int column, char type) throws SQLException {
    if (type == 'R') {
      BigDecimal number = result.getBigDecimal(column);
      return number == null ? "NULL" : number.setScale(3, RoundingMode.HALF_UP).toString();
    }
    if (type == 'I') {
      Object value = result.getObject(column);
      return switch (value) {
        case null -> "NULL";
        case Boolean truth -> truth ? "1" : "0";
        case Number number -> Long.toString(number.longValue());
        default -> value.toString();
      };
    }
    String text = result.getString(column);
    return text == null ? "NULL" : text.isEmpty() ? "(empty)" : printable(text);
  }

  private static String printable(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < out.length(); i++) {
      if (out.charAt(i) < ' ' || out.charAt(i) > '~') {
        out.setCharAt(i, '@');
      }
    }
    return out.toString();
  }

  /** What the result has that it should not have; null if it is right. */
  private static String difference(String[][] rows, CorpusRecord query) {
    if (query.sorting() == Sorting.ROWSORT) {
      Arrays.sort(rows, Comparator.comparing(row -> String.join("\0", row)));
    }
    List<String> values = new ArrayList<>();
    for (String[] row : rows) {
      Collections.addAll(values, row);
    }
    if (query.sorting() == Sorting.VALUESORT) {
      Collections.sort(values);
    }
    List<String> expected = query.expected();
    if (expected.size() == 1 && expected.getFirst().contains(" values hashing to ")) {
      String actual = values.size() + " values hashing to " + hash(values);
      return actual.equals(expected.getFirst()) ? null : actual;
    }
    return values.equals(expected) ? null : values + " instead of " + expected;
  }

  private static String hash(List<String> values) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      for (String value : values) {
        digest.update(value.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) '\n');
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private void found(String kind, String file, CorpusRecord record, String what) {
    if (findings.merge(kind, 1, Integer::sum) <= examplesMax) {
      examples.add(kind + ", " + file + ":" + record.line() + ": " + record.sql() + "\n  " + what);
    }
  }

  Map<String, Integer> findings() {
    return findings;
  }

  List<String> examples() {
    return examples;
  }

  long queries() {
    return queries;
  }

  long passed() {
    return passed;
  }

  /** Queries a second, of the time that queries took. */
  double rate() {
    return queries * 1e9 / Math.max(1, nanos);
  }

  /** Queries a second of one processor's time. */
  double cpuRate() {
    return queries * 1e9 / Math.max(1, cpuNanos);
  }
}
