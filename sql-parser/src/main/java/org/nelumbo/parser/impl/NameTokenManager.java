package org.nelumbo.parser.impl;

import java.util.Locale;

/**
 * A token manager that treats words as names where they cannot be keywords.
 *
 * <p>The grammar reserves some words that are popular as column names, because it cannot classify
 * them with two tokens of lookahead. Here the neighboring tokens decide:
 *
 * <ul>
 *   <li>NEXT is a keyword after FETCH and before VALUE; CURRENT before ROW and VALUE.
 *   <li>VALUE is a keyword after NEXT and CURRENT, and in statements that create JSON objects.
 *   <li>PARTITION is a keyword before BY.
 *   <li>ROWS is a keyword after a number, PRESERVE and DELETE; ROWS and RANGE before the bounds of
 *       a window frame.
 *   <li>BY is a keyword after GROUP, ORDER, PARTITION, INCREMENT, GENERATED and OWNED.
 *   <li>RUNNING and FINAL are keywords in statements that match patterns.
 *   <li>RETURNING starts the result of a change of rows, outside of parentheses.
 *   <li>Between operands, MOD, DIV and REGEXP are operators. LOCK before IN, after an operand, is
 *       MySQL's form of FOR SHARE.
 *   <li>STREAM and MEASURE are never keywords, because their features are not supported.
 * </ul>
 */
final class NameTokenManager extends NelumboParserTokenManager {
  private final Runnable progress;
  private Token ahead;
  private int previousKind = NelumboParserConstants.EOF;
  private boolean afterOwned;
  private boolean makesJson;
  private boolean matchesPatterns;
  private boolean hasWindows;
  private boolean changesRows;
  private int parentheses;

  NameTokenManager(SimpleCharStream input, Runnable progress) {
    super(input);
    this.progress = progress;
  }

  @Override
  public Token getNextToken() {
    progress.run();
    Token token = ahead == null ? super.getNextToken() : ahead;
    ahead = null;
    followRows(token);
    if (mayBeOperator(token.image)) {
      findOperator(token);
    }
    if (!isKeywordHere(token)) {
      token.kind = NelumboParserConstants.IDENTIFIER;
    }
    previousKind = token.kind;
    afterOwned =
        token.kind == NelumboParserConstants.IDENTIFIER && token.image.equalsIgnoreCase("OWNED");
    return token;
  }

  /** Returns true if a word may be MOD, DIV, LOCK or REGEXP; excludes nearly all tokens quickly. */
  private static boolean mayBeOperator(String image) {
    int length = image.length();
    if (length < 3 || length > 6) {
      return false;
    }
    return switch (image.charAt(0)) {
      case 'M', 'm', 'D', 'd' -> length == 3;
      case 'L', 'l' -> length == 4;
      case 'R', 'r' -> length == 6;
      default -> false;
    };
  }

  private void findOperator(Token token) {
    int operator =
        switch (token.image.toUpperCase(Locale.ROOT)) {
          case "MOD" -> NelumboParserConstants.PERCENT_REMAINDER;
          case "DIV" -> NelumboParserConstants.DIV_OPERATOR;
          case "REGEXP" -> NelumboParserConstants.RLIKE;
          case "LOCK" -> NelumboParserConstants.LOCK_ROWS;
          default -> NelumboParserConstants.EOF;
        };
    if (operator == NelumboParserConstants.EOF
        || token.kind == NelumboParserConstants.QUOTED_IDENTIFIER
        || !endsOperand(previousKind)
            && !(operator == NelumboParserConstants.RLIKE
                && previousKind == NelumboParserConstants.NOT)) {
      return;
    }
    int next = kindAhead();
    boolean isOperator =
        operator == NelumboParserConstants.LOCK_ROWS
            ? next == NelumboParserConstants.IN
            : beginsOperand(next);
    if (isOperator) {
      token.kind = operator;
    }
  }

  /**
   * Returns true if a value, or the name of one, may end with a token; many keywords are also
   * names.
   */
  private static boolean endsOperand(int kind) {
    return !beforeName(kind)
        && switch (kind) {
          case NelumboParserConstants.EOF,
              NelumboParserConstants.SEMICOLON,
              NelumboParserConstants.LPAREN,
              NelumboParserConstants.COLUMN,
              NelumboParserConstants.ADD,
              NelumboParserConstants.ALTER,
              NelumboParserConstants.DROP,
              NelumboParserConstants.RENAME,
              NelumboParserConstants.EXISTS,
              NelumboParserConstants.WITH,
              NelumboParserConstants.RECURSIVE ->
              false;
          default -> true;
        };
  }

  /**
   * Returns true if a token starts a value that is not a keyword; no such value follows an alias.
   */
  private static boolean beginsOperand(int kind) {
    return switch (kind) {
      case NelumboParserConstants.IDENTIFIER,
          NelumboParserConstants.QUOTED_IDENTIFIER,
          NelumboParserConstants.QUOTED_STRING,
          NelumboParserConstants.UNSIGNED_INTEGER_LITERAL,
          NelumboParserConstants.DECIMAL_NUMERIC_LITERAL,
          NelumboParserConstants.HOOK ->
          true;
      default -> false;
    };
  }

  /** Detects RETURNING after a change of rows, and tracks the state on which it depends. */
  private void followRows(Token token) {
    switch (token.kind) {
      case NelumboParserConstants.INSERT,
          NelumboParserConstants.UPDATE,
          NelumboParserConstants.DELETE,
          NelumboParserConstants.MERGE ->
          changesRows = true;
      case NelumboParserConstants.LPAREN -> parentheses++;
      case NelumboParserConstants.RPAREN -> parentheses--;
      case NelumboParserConstants.SEMICOLON -> {
        changesRows = false;
        parentheses = 0;
      }
      case NelumboParserConstants.RETURNING -> {
        if (changesRows
            && parentheses == 0
            && !beforeName(previousKind)
            && !afterName(kindAhead())) {
          token.kind = NelumboParserConstants.RETURNING_ROWS;
        }
      }
      default -> {}
    }
  }

  /** Returns true if an operand or a name must follow, so that a change of rows cannot end here. */
  private static boolean beforeName(int kind) {
    return switch (kind) {
      case NelumboParserConstants.COMMA,
          NelumboParserConstants.DOT,
          NelumboParserConstants.EQ,
          NelumboParserConstants.NE,
          NelumboParserConstants.NE2,
          NelumboParserConstants.LT,
          NelumboParserConstants.LE,
          NelumboParserConstants.GT,
          NelumboParserConstants.GE,
          NelumboParserConstants.PLUS,
          NelumboParserConstants.MINUS,
          NelumboParserConstants.STAR,
          NelumboParserConstants.SLASH,
          NelumboParserConstants.PERCENT_REMAINDER,
          NelumboParserConstants.CONCAT,
          NelumboParserConstants.INTO,
          NelumboParserConstants.UPDATE,
          NelumboParserConstants.FROM,
          NelumboParserConstants.OF,
          NelumboParserConstants.SELECT,
          NelumboParserConstants.ALL,
          NelumboParserConstants.DISTINCT,
          NelumboParserConstants.WHERE,
          NelumboParserConstants.HAVING,
          NelumboParserConstants.AND,
          NelumboParserConstants.OR,
          NelumboParserConstants.NOT,
          NelumboParserConstants.SET,
          NelumboParserConstants.BY,
          NelumboParserConstants.ON,
          NelumboParserConstants.USING,
          NelumboParserConstants.JOIN,
          NelumboParserConstants.CASE,
          NelumboParserConstants.WHEN,
          NelumboParserConstants.THEN,
          NelumboParserConstants.ELSE,
          NelumboParserConstants.BETWEEN,
          NelumboParserConstants.IN,
          NelumboParserConstants.LIKE,
          NelumboParserConstants.IS,
          NelumboParserConstants.AS,
          NelumboParserConstants.TABLE,
          NelumboParserConstants.RETURNING_ROWS ->
          true;
      default -> false;
    };
  }

  /** Returns true if no RETURNING item can begin with a token. */
  private static boolean afterName(int kind) {
    return switch (kind) {
      case NelumboParserConstants.EOF,
          NelumboParserConstants.SEMICOLON,
          NelumboParserConstants.COMMA,
          NelumboParserConstants.DOT,
          NelumboParserConstants.EQ,
          NelumboParserConstants.SET,
          NelumboParserConstants.WHERE,
          NelumboParserConstants.USING,
          NelumboParserConstants.SELECT,
          NelumboParserConstants.VALUES,
          NelumboParserConstants.ON ->
          true;
      default -> false;
    };
  }

  private boolean isKeywordHere(Token token) {
    switch (token.kind) {
      case NelumboParserConstants.JSON_OBJECT, NelumboParserConstants.JSON_OBJECTAGG -> {
        makesJson = true;
        return true;
      }
      case NelumboParserConstants.MATCH_RECOGNIZE -> {
        matchesPatterns = true;
        return true;
      }
      case NelumboParserConstants.VALUE -> {
        return makesJson || follows(NelumboParserConstants.NEXT, NelumboParserConstants.CURRENT);
      }
      case NelumboParserConstants.NEXT -> {
        return previousKind == NelumboParserConstants.FETCH
            || kindAhead() == NelumboParserConstants.VALUE;
      }
      case NelumboParserConstants.CURRENT -> {
        int next = kindAhead();
        return next == NelumboParserConstants.VALUE || next == NelumboParserConstants.ROW;
      }
      case NelumboParserConstants.PARTITION -> {
        return kindAhead() == NelumboParserConstants.BY;
      }
      case NelumboParserConstants.ROWS -> {
        return isCount(previousKind)
            || follows(NelumboParserConstants.PRESERVE, NelumboParserConstants.DELETE)
            || hasWindows && beginsFrame(kindAhead());
      }
      case NelumboParserConstants.RANGE -> {
        return hasWindows && beginsFrame(kindAhead());
      }
      case NelumboParserConstants.BY -> {
        return beginsList(previousKind) || afterOwned;
      }
      case NelumboParserConstants.OVER, NelumboParserConstants.WINDOW -> {
        hasWindows = true;
        return true;
      }
      case NelumboParserConstants.RUNNING, NelumboParserConstants.FINAL -> {
        return matchesPatterns;
      }
      case NelumboParserConstants.STREAM, NelumboParserConstants.MEASURE -> {
        return false;
      }
      default -> {
        return true;
      }
    }
  }

  private static boolean beginsList(int kind) {
    return kind == NelumboParserConstants.GROUP
        || kind == NelumboParserConstants.ORDER
        || kind == NelumboParserConstants.PARTITION
        || kind == NelumboParserConstants.INCREMENT
        || kind == NelumboParserConstants.GENERATED;
  }

  private static boolean isCount(int kind) {
    return kind == NelumboParserConstants.UNSIGNED_INTEGER_LITERAL
        || kind == NelumboParserConstants.HOOK;
  }

  private static boolean beginsFrame(int kind) {
    return kind == NelumboParserConstants.BETWEEN
        || kind == NelumboParserConstants.UNBOUNDED
        || kind == NelumboParserConstants.CURRENT
        || kind == NelumboParserConstants.INTERVAL
        || isCount(kind);
  }

  private boolean follows(int oneKind, int otherKind) {
    return previousKind == oneKind || previousKind == otherKind;
  }

  private int kindAhead() {
    if (ahead == null) {
      ahead = super.getNextToken();
    }
    return ahead.kind;
  }
}
