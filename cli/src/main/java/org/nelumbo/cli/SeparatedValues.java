package org.nelumbo.cli;

/**
 * Lines of values as RFC 4180 has them: with quotes around a value that needs them, and around an
 * empty text; NULL is nothing. They are made from those of sqlline, which quotes every value and
 * writes a word for NULL.
 */
final class SeparatedValues {
  /** A noncharacter, which no text has: sqlline's quote, so that its lines are known by it. */
  static final char MARK = '\uFFFF';

  /** The word for NULL. */
  static final String NULL = String.valueOf(MARK);

  private static final String QUOTE = "\"";

  private SeparatedValues() {}

  /**
   * Returns a line of sqlline as it is to be.
   *
   * @param mark around each of its values; doubled within one
   * @param separator between them
   */
  static String of(String line, char mark, String separator) {
    StringBuilder result = new StringBuilder(line.length());
    StringBuilder value = new StringBuilder();
    int at = 0;
    while (at < line.length()) {
      value.setLength(0);
      at = readValue(line, mark, at + 1, value);
      append(value.toString(), separator, result);
      if (at < line.length()) {
        result.append(separator);
        at += separator.length();
      }
    }
    return result.toString();
  }

  /** Reads a value behind its first mark; returns the index behind the last one. */
  private static int readValue(String line, char mark, int from, StringBuilder value) {
    int at = from;
    while (at < line.length()) {
      char next = line.charAt(at++);
      if (next == mark) {
        if (at == line.length() || line.charAt(at) != mark) {
          return at;
        }
        at++;
      }
      value.append(next);
    }
    return at;
  }

  private static void append(String value, String separator, StringBuilder result) {
    if (value.equals(NULL)) {
      return;
    }
    boolean isPlain =
        !value.isEmpty()
            && value.equals(value.strip())
            && value.chars().noneMatch(each -> each == '"' || each == '\n' || each == '\r')
            && !value.contains(separator);
    if (isPlain) {
      result.append(value);
    } else {
      result.append(QUOTE).append(value.replace(QUOTE, QUOTE + QUOTE)).append(QUOTE);
    }
  }
}
