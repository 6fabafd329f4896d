package org.nelumbo.parser;

import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * The numbers and texts in a statement, found in one pass without parsing it. What is left, the
 * {@link #shape}, is equal for statements that differ in these values only. In comments, quoted
 * names and literals with a prefix it may find what is no literal by itself: whoever uses one
 * compares its place with that of a literal in the syntax tree.
 */
public final class LiteralTokens {
  /** Digits. */
  public static final char INTEGER = 'i';

  /** Digits with a point. */
  public static final char DECIMAL = 'd';

  /** Text in quotes. */
  public static final char TEXT = 't';

  /** Stands before a kind in shapes; no statement with it has a shape. */
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
   * The literals of a statement.
   *
   * @param most how many there may be
   * @return null if there is none or there are more, or there are parameter markers
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

  /** Of what looks like a number: letters in it and after it belong to it. */
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

  /** What stands there; 0 if it is nothing that could be shared. */
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

  /** The text without its literals. */
  public String shape() {
    return shape.toString();
  }

  /** The whole text with other literals. */
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

  /** Whether there is a minus anywhere before a literal. */
  public boolean followsMinus(int token) {
    return sql.lastIndexOf('-', starts[token]) >= 0;
  }

  public char kind(int token) {
    return kinds[token];
  }

  /** A literal as it is written. */
  public String text(int token) {
    return sql.substring(starts[token], ends[token]);
  }

  /** Characters of a literal as it is written. */
  public int length(int token) {
    return ends[token] - starts[token];
  }

  /** Digits after the point. */
  public int scale(int token) {
    int point = sql.indexOf('.', starts[token]);
    return point < 0 || point >= ends[token] ? 0 : ends[token] - point - 1;
  }

  /** The digits of a number as a number, without its point. */
  public long digits(int token) {
    long digits = 0;
    for (int i = starts[token]; i < ends[token]; i++) {
      char c = sql.charAt(i);
      digits = c == '.' ? digits : digits * 10 + (c - '0');
    }
    return digits;
  }

  /** What a text in quotes says. */
  public String value(int token) {
    return sql.substring(starts[token] + 1, ends[token] - 1).replace("''", "'");
  }

  /** The literal that ends in a place, as the parser counts lines and columns; -1 if none does. */
  public int find(int endLine, int endColumn) {
    for (int i = 0; i < count; i++) {
      if (lines[i] == endLine && columns[i] + length(i) - 1 == endColumn) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a literal begins in a place. */
  public boolean begins(int token, int line, int column) {
    return lines[token] == line && columns[token] == column;
  }
}
