package org.nelumbo.database.workload;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of slow statements, at level INFO: the duration of a statement, and its text without
 * possible secrets. Literals appear as {@code ?}, comments are omitted, parameter values are never
 * included.
 */
public final class SlowQueryLog {
  private static final Logger LOG = LoggerFactory.getLogger(SlowQueryLog.class);

  private static final int LENGTH_MAX = 2_000;

  /**
   * Matches quoted names and literals, of which the last may be truncated. A digit within a name is
   * not a literal.
   */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<name>\"[^\"]*+\"|[\\p{L}_$][\\p{L}\\p{N}_$]*+)"
              + "|(?<literal>'[^']*+'?+|\\d[\\p{L}\\p{N}.]*+)"
              + "|(?<space>--[^\\n]*+|/\\*(?:[^*]|\\*(?!/))*+\\*/|\\s++)");

  private SlowQueryLog() {}

  static void log(String sql, long nanos) {
    if (LOG.isInfoEnabled()) {
      LOG.info("{} ms: {}", TimeUnit.NANOSECONDS.toMillis(nanos), normalized(sql));
    }
  }

  /** Returns a statement's text with {@code ?} for each literal, and single blanks. */
  static String normalized(String sql) {
    String start = sql.length() > LENGTH_MAX ? sql.substring(0, LENGTH_MAX) : sql;
    StringBuilder text = new StringBuilder(start.length());
    Matcher token = TOKEN.matcher(start);
    int from = 0;
    while (token.find()) {
      text.append(start, from, token.start());
      if (token.group("name") != null) {
        text.append(token.group());
      } else if (token.group("literal") == null) {
        text.append(' ');
      } else if (!token.group().startsWith("'") || !endsWith(text, "?")) {
        text.append('?');
      }
      from = token.end();
    }
    text.append(start, from, start.length());
    return (start.length() < sql.length() ? text + " ..." : text.toString())
        .replaceAll(" {2,}", " ")
        .strip();
  }

  /** A literal with a doubled quote matches as two adjacent literals. */
  private static boolean endsWith(StringBuilder text, String end) {
    return text.length() > 0 && text.substring(text.length() - 1).equals(end);
  }
}
