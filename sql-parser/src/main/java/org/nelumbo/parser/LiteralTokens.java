package org.nelumbo.parser;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The numbers and strings in a statement, found in one pass without parsing. The remaining text,
 * the {@link #shape}, is equal for statements that differ in these values only. In comments, quoted
 * names and literals with a prefix, the scan may find tokens that are not literals. A caller
 * therefore compares the position of a token with that of a literal in the syntax tree.
 */
public final class LiteralTokens {
  /** An integer number. */
  public static final char INTEGER = 'i';

  /** A number with a decimal point. */
  public static final char DECIMAL = 'd';

  /** A string in single quotes. */
  public static final char TEXT = 't';

  /** Precedes a kind in shapes. Statements that contain this character have no shape. */
  private static final char MARK = '\u0001';

  private final String sql;
  private final StringBuilder shape;
  private char[] kinds = new char[8];
  private int[] starts = new int[8];
  private int[] ends = new int[8];
  private int[] lines = new int[8];
  private int[] columns = new int[8];
  private int count;
  private int line = 1;
  private int lineStart;

  private LiteralTokens(String sql) {
    this.sql = sql;
    this.shape = new StringBuilder(sql.length() + 16);
  }

  /**
   * Finds the literals of a statement.
   *
   * @param most maximum number of literals
   * @return null if there are no or too many literals, or if there are parameter markers
   */
  public static LiteralTokens of(String sql, int most) {
    LiteralTokens tokens = new LiteralTokens(sql);
    return tokens.scan(most) && tokens.count > 0 ? tokens : null;
  }

  private boolean scan(int most) {
    int at = 0;
    int copied = 0;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      int next = at + 1;
      if (c == '?' || c == MARK) {
        return false;
      } else if (c == '\n' || c == '\r') {
        next = endOfLine(at);
      } else if (isName(c)) {
        next = endOfName(at);
      } else if (c == '"' || c == '`') {
        next = endOfQuoted(at, c);
      } else if (isDigit(c) || c == '\'' || c == '.' && next < sql.length() && digitAt(next)) {
        next = c == '\'' ? endOfQuoted(at, c) : endOfNumber(at);
        char kind = kind(at, next);
        if (kind != 0) {
          if (count == most) {
            return false;
          }
          add(kind, at, next);
          shape.append(sql, copied, at).append(MARK).append(kind);
          copied = next;
        }
      }
      at = next;
    }
    shape.append(sql, copied, sql.length());
    return true;
  }

  private int endOfLine(int at) {
    boolean two = sql.charAt(at) == '\r' && at + 1 < sql.length() && sql.charAt(at + 1) == '\n';
    line++;
    lineStart = at + (two ? 2 : 1);
    return lineStart;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private boolean digitAt(int at) {
    return isDigit(sql.charAt(at));
  }

  private static boolean isName(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c > 0x7e;
  }

  private int endOfName(int start) {
    int at = start;
    while (at < sql.length() && (isName(sql.charAt(at)) || digitAt(at))) {
      at++;
    }
    return at;
  }

  /** Returns the end of a number-like token, which includes letters in it and after it. */
  private int endOfNumber(int start) {
    int at = start;
    while (at < sql.length() && (isName(sql.charAt(at)) || digitAt(at) || sql.charAt(at) == '.')) {
      at++;
    }
    return at;
  }

  private int endOfQuoted(int start, char quote) {
    int at = start + 1;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (c == '\n' || c == '\r') {
        at = endOfLine(at);
      } else if (c != quote) {
        at++;
      } else if (at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
        at += 2;
      } else {
        return at + 1;
      }
    }
    return at;
  }

  private char kind(int start, int end) {
    if (sql.charAt(start) == '\'') {
      boolean whole = end - start > 1 && sql.charAt(end - 1) == '\'' && lineStart <= start;
      return whole ? TEXT : 0;
    }
    int points = 0;
    for (int i = start; i < end; i++) {
      if (sql.charAt(i) == '.') {
        points++;
      } else if (!digitAt(i)) {
        return 0;
      }
    }
    boolean isLong = end - start > 18;
    return isLong || points > 1 || sql.charAt(end - 1) == '.' ? 0 : points == 0 ? INTEGER : DECIMAL;
  }

  private void add(char kind, int start, int end) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, count * 2);
      starts = Arrays.copyOf(starts, count * 2);
      ends = Arrays.copyOf(ends, count * 2);
      lines = Arrays.copyOf(lines, count * 2);
      columns = Arrays.copyOf(columns, count * 2);
    }
    kinds[count] = kind;
    starts[count] = start;
    ends[count] = end;
    lines[count] = line;
    columns[count] = start - lineStart + 1;
    count++;
  }

  /** Returns the text without its literals. */
  public String shape() {
    return shape.toString();
  }

  /** Returns the whole text with other literals. */
  public String text(IntFunction<String> literal) {
    StringBuilder text = new StringBuilder(sql.length());
    int copied = 0;
    for (int i = 0; i < count; i++) {
      text.append(sql, copied, starts[i]).append(literal.apply(i));
      copied = ends[i];
    }
    return text.append(sql, copied, sql.length()).toString();
  }

  public int count() {
    return count;
  }

  /** Returns true if there is a minus anywhere before a literal. */
  public boolean followsMinus(int token) {
    return sql.lastIndexOf('-', starts[token]) >= 0;
  }

  public char kind(int token) {
    return kinds[token];
  }

  /** Returns a literal as written. */
  public String text(int token) {
    return sql.substring(starts[token], ends[token]);
  }

  /** Returns the length of a literal as written, in characters. */
  public int length(int token) {
    return ends[token] - starts[token];
  }

  /** Returns the number of decimals. */
  public int scale(int token) {
    int point = sql.indexOf('.', starts[token]);
    return point < 0 || point >= ends[token] ? 0 : ends[token] - point - 1;
  }

  /** Returns the digits of a number, without its decimal point, as an integer. */
  public long digits(int token) {
    long digits = 0;
    for (int i = starts[token]; i < ends[token]; i++) {
      char c = sql.charAt(i);
      digits = c == '.' ? digits : digits * 10 + (c - '0');
    }
    return digits;
  }

  /** Returns the value of a string literal. */
  public String value(int token) {
    return sql.substring(starts[token] + 1, ends[token] - 1).replace("''", "'");
  }

  /**
   * Returns the literal that ends at a position, in the parser's line and column numbers, or -1.
   */
  public int find(int endLine, int endColumn) {
    for (int i = 0; i < count; i++) {
      if (lines[i] == endLine && columns[i] + length(i) - 1 == endColumn) {
        return i;
      }
    }
    return -1;
  }

  /** Returns true if a literal begins at a position. */
  public boolean begins(int token, int line, int column) {
    return lines[token] == line && columns[token] == column;
  }
}
