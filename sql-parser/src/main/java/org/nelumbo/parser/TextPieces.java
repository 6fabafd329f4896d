package org.nelumbo.parser;

import java.util.ArrayList;
import java.util.List;

/**
 * A scanner that splits SQL text into pieces without parsing it. Strings, quoted names and comments
 * are one piece each; every other character is a piece.
 */
final class TextPieces {
  private TextPieces() {}

  /** Returns the end of the piece that starts at a position, or -1 if it is never closed. */
  static int end(String sql, int at) {
    char c = sql.charAt(at);
    if (c == '\'' || c == '"') {
      return after(sql, String.valueOf(c), at + 1);
    }
    if (sql.startsWith("/*", at)) {
      return after(sql, "*/", at + 2);
    }
    if (sql.startsWith("--", at) || sql.startsWith("//", at)) {
      int end = after(sql, "\n", at);
      return end < 0 ? sql.length() : end;
    }
    return at + 1;
  }

  /** Returns the texts between semicolons, except empty ones. */
  static List<String> statements(String script) {
    List<String> statements = new ArrayList<>();
    int start = 0;
    int at = 0;
    boolean says = false;
    while (at < script.length()) {
      boolean isRemark = !says && script.charAt(at) == '#'; // to the end of the line, as in MySQL
      int end = isRemark ? after(script, "\n", at) : end(script, at);
      if (script.charAt(at) == ';') {
        addIf(says, statements, script.substring(start, at));
        start = end;
        says = false;
      } else {
        says |= !isRemark && !isBlank(script, at);
      }
      at = end < 0 ? script.length() : end;
    }
    addIf(says, statements, script.substring(start));
    return statements;
  }

  private static void addIf(boolean says, List<String> statements, String text) {
    if (says) {
      statements.add(text.strip());
    }
  }

  private static boolean isBlank(String sql, int at) {
    return Character.isWhitespace(sql.charAt(at))
        || sql.charAt(at) == '\uFEFF'
        || sql.startsWith("--", at)
        || sql.startsWith("//", at)
        || sql.startsWith("/*", at) && !sql.startsWith("/*+", at);
  }

  private static int after(String sql, String closing, int from) {
    int at = sql.indexOf(closing, from);
    return at < 0 ? -1 : at + closing.length();
  }
}
