package org.nelumbo.parser.plain;

import java.util.Locale;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A tokenizer for simple queries. Positions are those of the generated parser: lines and columns
 * from one, one column per character. Comments, names and strings with characters outside of ASCII,
 * and numbers with an exponent are not supported.
 */
final class PlainTokens {
  private final String sql;
  private final Runnable progress;

  private PlainToken kind = PlainToken.OTHER;
  private int start;
  private int end;

  /** The current word in upper case, or null if the token is not an unquoted word. */
  private String word;

  private int line = 1;

  /** Offset of the start of the current line. */
  private int lineStart;

  private int previousLine = 1;
  private int previousFirst;
  private int previousLast;

  /**
   * Creates a tokenizer, positioned at the first token.
   *
   * @param progress runs for each token
   */
  PlainTokens(String sql, Runnable progress) {
    this.sql = sql;
    this.progress = progress;
    read();
  }

  PlainToken kind() {
    return kind;
  }

  boolean is(PlainToken some) {
    return kind == some;
  }

  /** Returns true if the token may be a name. */
  boolean isName() {
    return kind == PlainToken.NAME || kind == PlainToken.QUOTED_NAME;
  }

  /** Returns the position of the token. */
  SqlParserPos position() {
    return new SqlParserPos(line, start - lineStart + 1, line, end - lineStart);
  }

  /** Returns the position of the previous token. */
  SqlParserPos positionBefore() {
    return new SqlParserPos(previousLine, previousFirst, previousLine, previousLast);
  }

  /** Returns the token as written. */
  String image() {
    return sql.substring(start, end);
  }

  /** Returns the name, without quotes and folded. */
  String name() {
    return kind == PlainToken.QUOTED_NAME ? sql.substring(start + 1, end - 1) : word;
  }

  /** Advances if the token is of the given kind; returns false otherwise. */
  boolean skip(PlainToken some) {
    boolean found = kind == some;
    if (found) {
      next();
    }
    return found;
  }

  /** Returns the word in upper case, keyword or not; null if the token is not an unquoted word. */
  String word() {
    return word;
  }

  /** Returns true if the token is a word, which is given in upper case. */
  boolean isWord(String some) {
    return some.equals(word);
  }

  /** Advances if the token is a word, which is given in upper case; returns false otherwise. */
  boolean skipWord(String some) {
    boolean found = isWord(some);
    if (found) {
      next();
    }
    return found;
  }

  /** Marks the token as unsupported at this position. */
  void refuse() {
    kind = PlainToken.OTHER;
  }

  /** Advances to the next token. */
  void next() {
    previousLine = line;
    previousFirst = start - lineStart + 1;
    previousLast = end - lineStart;
    read();
  }

  private void read() {
    progress.run();
    word = null;
    int at = end;
    while (at < sql.length() && isBlank(sql.charAt(at))) {
      if (sql.charAt(at) == '\n') {
        line++;
        lineStart = at + 1;
      }
      at++;
    }
    start = at;
    end = at + 1;
    kind = at < sql.length() ? token(sql.charAt(at)) : PlainToken.END_OF_TEXT;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\n' || c == '\t';
  }

  private PlainToken token(char c) {
    return switch (c) {
      case '?' -> PlainToken.MARKER;
      case ',' -> PlainToken.COMMA;
      case '(' -> PlainToken.OPEN;
      case ')' -> PlainToken.CLOSE;
      case ';' -> PlainToken.SEMICOLON;
      case '.' -> isDigit(following()) ? PlainToken.OTHER : PlainToken.DOT;
      case '+' -> PlainToken.PLUS;
      case '%' -> PlainToken.PERCENT;
      case '*' -> following() == '/' ? PlainToken.OTHER : PlainToken.STAR;
      case '-' -> following() == '-' || following() == '>' ? PlainToken.OTHER : PlainToken.MINUS;
      case '/' -> following() == '*' || following() == '/' ? PlainToken.OTHER : PlainToken.SLASH;
      case '|' -> twice('|', PlainToken.CONCAT);
      case '!' -> twice('=', PlainToken.NOT_EQUAL);
      case '=' -> following() == '>' ? PlainToken.OTHER : PlainToken.EQUAL;
      case '<' -> less();
      case '>' -> greater();
      case '\'' -> quoted('\'', PlainToken.TEXT);
      case '"' -> quoted('"', PlainToken.QUOTED_NAME);
      default -> isLetter(c) ? wordKind() : isDigit(c) ? number() : PlainToken.OTHER;
    };
  }

  /** Returns 0 at the end. */
  private char following() {
    return end < sql.length() ? sql.charAt(end) : 0;
  }

  private PlainToken twice(char second, PlainToken both) {
    if (following() != second) {
      return PlainToken.OTHER;
    }
    end++;
    return both;
  }

  private PlainToken less() {
    return switch (following()) {
      case '>' -> twice('>', PlainToken.NOT_EQUAL);
      case '=' -> {
        end++;
        yield following() == '>' ? PlainToken.OTHER : PlainToken.LESS_OR_EQUAL;
      }
      case '<' -> PlainToken.OTHER;
      default -> PlainToken.LESS;
    };
  }

  private PlainToken greater() {
    return switch (following()) {
      case '=' -> twice('=', PlainToken.GREATER_OR_EQUAL);
      case '>' -> PlainToken.OTHER;
      default -> PlainToken.GREATER;
    };
  }

  /** The token must end on the same line. */
  private PlainToken quoted(char quote, PlainToken what) {
    boolean isName = quote == '"';
    while (following() != quote || !isName && doubled(quote)) {
      if (following() < ' ' || following() > '~') {
        return PlainToken.OTHER;
      }
      end++;
    }
    end++;
    boolean goesOn = following() == quote || isLetter(following());
    return goesOn || isName && end - start == 2 ? PlainToken.OTHER : what;
  }

  private boolean doubled(char quote) {
    boolean isDoubled = end + 1 < sql.length() && sql.charAt(end + 1) == quote;
    end += isDoubled ? 1 : 0;
    return isDoubled;
  }

  private PlainToken wordKind() {
    while (isLetter(following()) || isDigit(following()) || following() == '_') {
      end++;
    }
    char c = following();
    if (c == '\'' || c == '"' || c == '$' || c == '&' || c > '~') {
      return PlainToken.OTHER;
    }
    word = sql.substring(start, end).toUpperCase(Locale.ROOT);
    return PlainWords.kind(word);
  }

  private PlainToken number() {
    skipDigits();
    if (following() == '.') {
      end++;
      if (!isDigit(following())) {
        return PlainToken.OTHER;
      }
      skipDigits();
    }
    char c = following();
    return isLetter(c) || c == '_' || c == '.' || c == '$' || c > '~'
        ? PlainToken.OTHER
        : PlainToken.NUMBER;
  }

  private void skipDigits() {
    while (isDigit(following())) {
      end++;
    }
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
