package org.nelumbo.planner.function;

import java.util.Map;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/** Translates date patterns of MySQL and Java to those of TO_CHAR. */
final class DatePatterns {
  private static final Map<String, String> OF_MYSQL =
      Map.ofEntries(
          Map.entry("Y", "YYYY"),
          Map.entry("y", "YY"),
          Map.entry("m", "MM"),
          Map.entry("c", "FMMM"),
          Map.entry("M", "FMMonth"),
          Map.entry("b", "Mon"),
          Map.entry("d", "DD"),
          Map.entry("e", "FMDD"),
          Map.entry("j", "DDD"),
          Map.entry("W", "FMDay"),
          Map.entry("a", "Dy"),
          Map.entry("x", "IYYY"),
          Map.entry("v", "IW"),
          Map.entry("H", "HH24"),
          Map.entry("k", "FMHH24"),
          Map.entry("h", "HH12"),
          Map.entry("I", "HH12"),
          Map.entry("l", "FMHH12"),
          Map.entry("i", "MI"),
          Map.entry("s", "SS"),
          Map.entry("S", "SS"),
          Map.entry("f", "US"),
          Map.entry("p", "AM"),
          Map.entry("T", "HH24:MI:SS"),
          Map.entry("r", "HH12:MI:SS AM"));

  private static final Map<String, String> OF_JAVA =
      Map.ofEntries(
          Map.entry("yyyy", "YYYY"),
          Map.entry("uuuu", "YYYY"),
          Map.entry("yy", "YY"),
          Map.entry("uu", "YY"),
          Map.entry("MM", "MM"),
          Map.entry("M", "FMMM"),
          Map.entry("MMM", "Mon"),
          Map.entry("MMMM", "FMMonth"),
          Map.entry("dd", "DD"),
          Map.entry("d", "FMDD"),
          Map.entry("D", "FMDDD"),
          Map.entry("DDD", "DDD"),
          Map.entry("EEEE", "FMDay"),
          Map.entry("E", "Dy"),
          Map.entry("EEE", "Dy"),
          Map.entry("HH", "HH24"),
          Map.entry("H", "FMHH24"),
          Map.entry("hh", "HH12"),
          Map.entry("h", "FMHH12"),
          Map.entry("mm", "MI"),
          Map.entry("m", "FMMI"),
          Map.entry("ss", "SS"),
          Map.entry("s", "FMSS"),
          Map.entry("SSS", "MS"),
          Map.entry("SSSSSS", "US"),
          Map.entry("a", "AM"));

  private DatePatterns() {}

  /** Translates a pattern of MySQL's DATE_FORMAT, {@code %Y-%m-%d}. */
  static String ofMysql(String pattern) {
    StringBuilder result = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      if (pattern.charAt(i) == '%' && i + 1 < pattern.length()) {
        i++;
        String meant = OF_MYSQL.get(pattern.substring(i, i + 1));
        if (meant != null) {
          result.append(meant);
        } else if (Character.isLetter(pattern.charAt(i))) {
          throw unknown("%" + pattern.charAt(i));
        } else {
          literal(result, pattern.charAt(i));
        }
      } else {
        literal(result, pattern.charAt(i));
      }
      i++;
    }
    return result.toString();
  }

  /** Translates a pattern of Java's DateTimeFormatter, {@code yyyy-MM-dd}. */
  static String ofJava(String pattern) {
    StringBuilder result = new StringBuilder();
    int i = 0;
    while (i < pattern.length()) {
      char c = pattern.charAt(i);
      int end = i + 1;
      if (c == '\'') {
        int close = pattern.indexOf('\'', end);
        end = close < 0 ? pattern.length() : close + 1;
        String quoted = pattern.substring(i + 1, close < 0 ? end : close);
        (quoted.isEmpty() ? "'" : quoted).chars().forEach(each -> literal(result, (char) each));
      } else if (Character.isLetter(c)) {
        while (end < pattern.length() && pattern.charAt(end) == c) {
          end++;
        }
        String meant = OF_JAVA.get(pattern.substring(i, end));
        if (meant == null) {
          throw unknown(pattern.substring(i, end));
        }
        result.append(meant);
      } else {
        literal(result, c);
      }
      i = end;
    }
    return result.toString();
  }

  /** Returns true if a pattern of TO_CHAR contains a time of day. */
  static boolean hasTime(String pattern) {
    String plain = pattern.replaceAll("\"[^\"]*\"", "");
    return plain.contains("HH")
        || plain.contains("MI")
        || plain.contains("SS")
        || plain.contains("MS")
        || plain.contains("US");
  }

  private static void literal(StringBuilder pattern, char c) {
    boolean isQuoted = Character.isLetterOrDigit(c);
    pattern.append(isQuoted ? "\"" : "").append(c).append(isQuoted ? "\"" : "");
  }

  private static NelumboException unknown(String pattern) {
    return new NelumboException(
        ErrorCode.UNSUPPORTED,
        "the pattern " + pattern + " of dates is not supported; use TO_CHAR with its patterns");
  }
}
