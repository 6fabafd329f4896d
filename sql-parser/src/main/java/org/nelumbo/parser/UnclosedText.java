package org.nelumbo.parser;

/**
 * A string, quoted name or comment that is never closed.
 *
 * @param problem description of the piece and of its missing end
 * @param line line of its start, from 1
 * @param column column of its start, from 1
 */
record UnclosedText(String problem, int line, int column) {

  /** Returns the unclosed piece of a text, or null if everything is closed. */
  static UnclosedText find(String sql) {
    int at = 0;
    while (at < sql.length()) {
      int end = TextPieces.end(sql, at);
      if (end < 0) {
        return begin(sql, at);
      }
      at = end;
    }
    return null;
  }

  /**
   * Returns the character at a position in quotes, or its code point if it is not printable ASCII.
   */
  static String characterAt(String sql, int line, int column) {
    int at = 0;
    for (int left = line; left > 1 && at >= 0; left--) {
      at = sql.indexOf('\n', at) + 1;
    }
    int index = at + column - 1;
    if (index >= sql.length()) {
      return "at the end of the statement";
    }
    int character = sql.codePointAt(index);
    boolean plain = character > ' ' && character < 127;
    return plain ? "'" + Character.toString(character) + "'" : String.format("U+%04X", character);
  }

  private static UnclosedText begin(String sql, int at) {
    int line = 1;
    int lineStart = 0;
    for (int i = 0; i < at; i++) {
      if (sql.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    String problem =
        switch (sql.charAt(at)) {
          case '\'' -> "the string that begins here is never closed with '";
          case '"' -> "the name that begins here is never closed with \"";
          default -> "the comment that begins here is never closed with */";
        };
    return new UnclosedText(problem, line, at - lineStart + 1);
  }
}
