package org.nelumbo.sqlgen.corpus;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.sqlgen.corpus.CorpusCounts.Verdict;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Done;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Failure;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Rows;
import org.nelumbo.sqlgen.corpus.CorpusRecord.Sorting;

/** A run of records of the corpus on a connection, which compares results and counts. */
final class CorpusRun {
  private static final String NOT_SUPPORTED = "0A000";
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Map<String, Integer> findings = new TreeMap<>();
  private final List<String> examples = new ArrayList<>();
  private final int examplesMax;
  private final boolean isPublic;
  private long queries;
  private long passed;
  private long nanos;
  private long cpuNanos;

  /**
   * Creates a run.
   *
   * @param isPublic whether a text read as an integer is converted to its leading number, or 0, as
   *     in SQLite, whose results the public corpus contains
   */
  CorpusRun(int examplesMax, boolean isPublic) {
    this.examplesMax = examplesMax;
    this.isPublic = isPublic;
  }

  /** Runs statements of a file, up to a number of queries. */
  CorpusCounts run(CorpusDatabase database, String file, List<CorpusRecord> records, long most)
      throws SQLException {
    long begun = queries;
    CorpusCounts counts = CorpusCounts.NONE;
    for (CorpusRecord each : records) {
      if (queries - begun >= most) {
        break;
      }
      Statement session = database.session(each.session());
      counts =
          counts.with(each.isQuery() ? query(session, file, each) : other(session, file, each));
    }
    return counts;
  }

  private Verdict other(Statement statement, String file, CorpusRecord record) {
    try {
      long count =
          statement.execute(record.sql()) ? skipRows(statement) : statement.getUpdateCount();
      if (record.expected() instanceof Failure) {
        return found(Verdict.WRONG, "did not fail", file, record, "");
      }
      if (record.expected() instanceof Done done
          && done.count() != Done.ANY
          && done.count() != count) {
        return found(
            Verdict.WRONG, "count", file, record, count + " rows instead of " + done.count());
      }
      return Verdict.PASSED;
    } catch (SQLException e) {
      String state = String.valueOf(e.getSQLState());
      if (record.expected() instanceof Failure failure && state.startsWith(failure.sqlState())) {
        return Verdict.PASSED;
      }
      return failed("statement", e, file, record);
    }
  }

  /** Some errors occur only while rows are fetched. */
  private static long skipRows(Statement statement) throws SQLException {
    long count = 0;
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          rows.getObject(i);
        }
        count++;
      }
    }
    return count;
  }

  private Verdict failed(String what, SQLException e, String file, CorpusRecord record) {
    return found(
        NOT_SUPPORTED.equals(e.getSQLState()) ? Verdict.REFUSED : Verdict.FAILED,
        what + " " + e.getSQLState(),
        file,
        record,
        e.getMessage());
  }

  private Verdict query(Statement statement, String file, CorpusRecord record) {
    Rows expected = (Rows) record.expected();
    queries++;
    long wall = System.nanoTime();
    long cpu = threads.getCurrentThreadCpuTime();
    String[][] rows;
    try {
      rows = rows(statement, record.sql(), expected.types());
    } catch (SQLException e) {
      return failed("query", e, file, record);
    } finally {
      cpuNanos += threads.getCurrentThreadCpuTime() - cpu;
      nanos += System.nanoTime() - wall;
    }
    String difference = difference(rows, expected);
    if (difference != null) {
      return found(Verdict.WRONG, "result", file, record, difference);
    }
    passed++;
    return Verdict.PASSED;
  }

  private String[][] rows(Statement statement, String sql, String types) throws SQLException {
    try (ResultSet result = statement.executeQuery(sql)) {
      int columns = types.length();
      if (result.getMetaData().getColumnCount() != columns) {
        throw new SQLException("the result has another number of columns", "COLUMNS");
      }
      List<String[]> rows = new ArrayList<>();
      while (result.next()) {
        String[] row = new String[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = value(result, i + 1, types.charAt(i));
        }
        rows.add(row);
      }
      return rows.toArray(String[][]::new);
    }
  }

  private String value(ResultSet result, int column, char type) throws SQLException {
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
        case String text when isPublic -> beginningNumber(text);
        default -> value.toString();
      };
    }
    Object value = result.getObject(column);
    String text = value instanceof Boolean ? value.toString() : result.getString(column);
    if (text == null) {
      return "NULL";
    }
    String shown = printable(text).stripTrailing(); // some databases pad CHAR
    return shown.isEmpty() ? "(empty)" : shown;
  }

  private static String beginningNumber(String text) {
    Matcher number = NUMBER.matcher(text);
    return number.lookingAt() ? new BigInteger(number.group()).toString() : "0";
  }

  private static String printable(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 0; i < out.length(); i++) {
      if (Character.isISOControl(out.charAt(i))) {
        out.setCharAt(i, '@');
      }
    }
    return out.toString();
  }

  private static String difference(String[][] rows, Rows query) {
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
    List<String> expected = query.values();
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

  private Verdict found(
      Verdict verdict, String kind, String file, CorpusRecord record, String what) {
    if (findings.merge(kind, 1, Integer::sum) <= examplesMax) {
      examples.add(kind + ", " + file + ":" + record.line() + ": " + record.sql() + "\n  " + what);
    }
    return verdict;
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

  /** Returns the queries per second of query time. */
  double rate() {
    return queries * 1e9 / Math.max(1, nanos);
  }

  /** Returns the queries per second of CPU time. */
  double cpuRate() {
    return queries * 1e9 / Math.max(1, cpuNanos);
  }
}
