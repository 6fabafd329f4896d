package org.nelumbo.database.workload;

import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of slow statements, at level INFO: how long one took, and its text without what may be a
 * secret. Literals are shown as {@code ?}, comments are left out, parameters were never in it.
 * Static helpers, no state.
 */
public final class SlowQueryLog {
  private static final Logger LOG = LoggerFactory.getLogger(SlowQueryLog.class);

  private static final int LENGTH_MAX = 2_000;

  /** Names in quotes stay; a number within a name is none. A literal may have been cut off. */
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

  /** A statement's text with {@code ?} for each literal, and single blanks. */
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

  /** A quote within a literal is two of them: another literal follows at once. */
  private static boolean endsWith(StringBuilder text, String end) {
    return text.length() > 0 && text.substring(text.length() - 1).equals(end);
  }
}
