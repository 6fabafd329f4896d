package org.nelumbo.jdbc.statement;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * Translator of JDBC escapes in braces, such as {@code {d '2025-01-31'}}, to SQL. It does not
 * change quoted text and comments.
 */
public final class EscapeSyntax {
  private static final Map<String, String> FUNCTIONS =
      Map.of(
          "UCASE", "UPPER",
          "LCASE", "LOWER",
          "LENGTH", "CHAR_LENGTH",
          "LOG", "LN",
          "CEIL", "CEILING",
          "TRUNCATE", "TRUNC");

  private static final Map<String, String> CONSTANTS =
      Map.of(
          "NOW", "CURRENT_TIMESTAMP",
          "CURDATE", "CURRENT_DATE",
          "CURTIME", "LOCALTIME",
          "CURRENT_DATE", "CURRENT_DATE",
          "CURRENT_TIME", "LOCALTIME",
          "CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP",
          "USER", "USER");

  private enum Until {
    END,
    /** The brace that ends an escape. */
    BRACE
  }

  private static final int DEPTH_MAX = 200;

  private final String sql;
  private final StringBuilder out;
  private int position;

  private int depth;

  private EscapeSyntax(String sql) {
    this.sql = sql;
    this.out = new StringBuilder(sql.length() + 16);
  }

  /** Returns the statement without escapes; the same object if it contains none. */
  public static String translate(String sql) throws SQLException {
    if (sql == null) {
      throw SqlExceptions.badParameter("the statement is null");
    }
    if (sql.indexOf('{') < 0) {
      return sql;
    }
    EscapeSyntax escapes = new EscapeSyntax(sql);
    escapes.copy(Until.END);
    return escapes.out.toString();
  }

  private void copy(Until until) throws SQLException {
    while (position < sql.length()) {
      char c = sql.charAt(position);
      if (c == '\'' || c == '"') {
        copyTo(endOfQuotes(c));
      } else if (sql.startsWith("--", position)) {
        int end = sql.indexOf('\n', position);
        copyTo(end < 0 ? sql.length() : end);
      } else if (sql.startsWith("/*", position)) {
        int end = sql.indexOf("*/", position + 2);
        copyTo(end < 0 ? sql.length() : end + 2);
      } else if (c == '{') {
        position++;
        escape();
      } else if (c == '}' && until == Until.BRACE) {
        position++;
        return;
      } else {
        out.append(c);
        position++;
      }
    }
    if (until == Until.BRACE) {
      throw SqlExceptions.of(ErrorCode.SYNTAX_ERROR, "a JDBC escape '{' is not ended by '}'");
    }
  }

  private void copyTo(int end) {
    out.append(sql, position, end);
    position = end;
  }

  private int endOfQuotes(char quote) {
    int end = sql.indexOf(quote, position + 1);
    return end < 0 ? sql.length() : end + 1;
  }

  private void escape() throws SQLException {
    if (depth++ == DEPTH_MAX) {
      throw SqlExceptions.of(
          ErrorCode.STATEMENT_TOO_COMPLEX,
          "JDBC escapes are nested more than " + DEPTH_MAX + " deep");
    }
    replaceEscape();
    depth--;
  }

  private void replaceEscape() throws SQLException {
    String keyword = word();
    switch (keyword) {
      case "D" -> literal("DATE");
      case "T" -> literal("TIME");
      case "TS" -> literal("TIMESTAMP");
      case "OJ" -> copy(Until.BRACE);
      case "ESCAPE" -> literal("ESCAPE");
      case "LIMIT" -> literal("LIMIT");
      case "FN" -> function();
      case "CALL", "?" -> throw SqlExceptions.unsupported("calling a procedure ({call ...})");
      default ->
          throw SqlExceptions.of(
              ErrorCode.SYNTAX_ERROR,
              "unknown JDBC escape '{"
                  + keyword.toLowerCase(Locale.ROOT)
                  + "'; known are d, t, ts, fn, oj, escape and limit");
    }
  }

  private void literal(String keyword) throws SQLException {
    out.append(keyword);
    copy(Until.BRACE);
  }

  private void function() throws SQLException {
    String name = word();
    String constant = CONSTANTS.get(name);
    if (constant == null) {
      out.append(FUNCTIONS.getOrDefault(name, name));
      copy(Until.BRACE);
      return;
    }
    int start = out.length();
    copy(Until.BRACE);
    out.setLength(start);
    out.append(constant);
  }

  private String word() {
    while (position < sql.length() && Character.isWhitespace(sql.charAt(position))) {
      position++;
    }
    int start = position;
    while (position < sql.length()
        && (Character.isLetterOrDigit(sql.charAt(position)) || sql.charAt(position) == '_')) {
      position++;
    }
    if (start == position && position < sql.length() && sql.charAt(position) == '?') {
      position++;
    }
    return sql.substring(start, position).toUpperCase(Locale.ROOT);
  }
}
