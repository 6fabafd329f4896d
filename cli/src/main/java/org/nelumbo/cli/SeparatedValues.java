package org.nelumbo.cli;

/**
 * Converts output lines of sqlline, which quotes every value and writes a word for NULL, to RFC
 * 4180: quotes only around values that need them and around empty texts; NULL is an empty field.
 */
final class SeparatedValues {
  /**
   * A noncharacter that no text contains: the quote in sqlline's output, by which its lines are
   * recognized.
   */
  static final char MARK = '\uFFFF';

  /** The word for NULL. */
  static final String NULL = String.valueOf(MARK);

  private static final String QUOTE = "\"";

  private SeparatedValues() {}

  /**
   * Converts a line of sqlline.
   *
   * @param mark quote around each of its values; doubled within a value
   * @param separator separator of the converted values
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

  /** Reads a value after its opening mark; returns the index after its closing mark. */
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
