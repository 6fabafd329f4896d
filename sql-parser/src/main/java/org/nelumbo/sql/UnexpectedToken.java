package org.nelumbo.sql;

import java.util.Collection;
import org.nelumbo.sql.parser.impl.NelumboParserConstants;
import org.nelumbo.sql.parser.impl.ParseException;
import org.nelumbo.sql.parser.impl.Token;

/** Explains a token that no production wanted: what it is, what would have fitted, what to try. */
final class UnexpectedToken {
  private UnexpectedToken() {}

  static SqlSyntaxException explain(ParseException e) {
    int depth = deepestMatch(e);
    Token token = e.currentToken.next;
    for (int i = 0; i < depth; i++) {
      token = token.next;
    }
    Collection<String> expected = ExpectedTokens.describe(e, depth);
    StringBuilder problem = new StringBuilder("unexpected ").append(name(token));
    if (!expected.isEmpty()) {
      problem.append("; expected ").append(ExpectedTokens.join(expected));
    }
    appendAdvice(problem, token, e, depth);
    return new SqlSyntaxException(problem.toString(), token.beginLine, token.beginColumn);
  }

  private static void appendAdvice(
      StringBuilder problem, Token token, ParseException e, int depth) {
    String meant = ExpectedTokens.similar(token.image, e, depth);
    if (meant != null) {
      problem.append(". Did you mean ").append(meant).append('?');
    } else if (ExpectedTokens.wantsName(e, depth) && Identifiers.isReserved(token.image)) {
      problem.append(". ").append(token.image).append(" is a reserved word; as a name it is written ");
      problem.append('"').append(token.image).append('"');
    }
  }

  private static String name(Token token) {
    return token.kind == NelumboParserConstants.EOF
        ? "end of the statement"
        : "'" + abbreviated(token.image) + "'";
  }

  private static String abbreviated(String image) {
    return image.length() <= 40 ? image : image.substring(0, 37) + "...";
  }

  /** How many of the tokens ahead the longest partly matching sequence did match. */
  private static int deepestMatch(ParseException e) {
    int deepest = 0;
    for (int[] sequence : e.expectedTokenSequences) {
      deepest = Math.max(deepest, matchLength(e, sequence));
    }
    return deepest;
  }

  /** How many tokens ahead are as in the sequence, short of its last one. */
  static int matchLength(ParseException e, int[] sequence) {
    Token token = e.currentToken.next;
    int length = 0;
    while (length < sequence.length - 1 && token != null && token.kind == sequence[length]) {
      length++;
      token = token.next;
    }
    return token == null ? Math.max(0, length - 1) : length;
  }
}
