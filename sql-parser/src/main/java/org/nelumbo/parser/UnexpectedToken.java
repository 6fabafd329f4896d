package org.nelumbo.parser;

import java.util.Locale;
import java.util.Set;
import org.nelumbo.parser.dialect.Identifiers;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.impl.NelumboParserConstants;
import org.nelumbo.parser.impl.ParseException;
import org.nelumbo.parser.impl.Token;

/** Explains an unexpected token: its name, the expected tokens, and advice. */
final class UnexpectedToken {
  private static final int IMAGE_LENGTH_MAX = 40;

  /** Reserved words that more often follow an omission than are meant as names. */
  private static final Set<String> STRUCTURE =
      Set.of(
          ("FROM WHERE AS ON AND OR NOT NULL BY SET VALUES INTO USING HAVING UNION EXCEPT INTERSECT"
                  + " JOIN WHEN THEN ELSE IS IN SELECT CREATE DROP ALTER INSERT UPDATE DELETE")
              .split(" "));

  private UnexpectedToken() {}

  static SqlSyntaxException explain(ParseException e) {
    ExpectedTokens expected = new ExpectedTokens(e);
    Token token = expected.wrongToken();
    if (token.kind == NelumboParserConstants.EOF && expected.tokenBefore().image == null) {
      return new SqlSyntaxException("the statement is empty", 1, 1);
    }
    String list = expected.inWords();
    String problem =
        "unexpected "
            + name(token)
            + (list.isEmpty() ? "" : "; expected " + list)
            + advice(expected, token);
    return new SqlSyntaxException(
        problem, Math.max(1, token.beginLine), Math.max(1, token.beginColumn));
  }

  private static String advice(ExpectedTokens expected, Token token) {
    if (token.kind == NelumboParserConstants.NUMBER_WITH_LETTERS) {
      return ". Numbers have digits only, and an exponent as in 1e5; write a space before a word";
    }
    String meant = isFreeWord(token) ? expected.similarTo(token.image) : null;
    if (meant != null) {
      return ". Did you mean " + meant + "?";
    }
    Token before = expected.tokenBefore();
    meant = isFreeWord(before) ? expected.similarTo(before.image) : null;
    if (meant != null) {
      return ". Did you mean " + meant + " instead of '" + before.image + "'?";
    }
    String upper = token.image.toUpperCase(Locale.ROOT);
    if (expected.wantsName() && Identifiers.isReserved(upper) && !STRUCTURE.contains(upper)) {
      return ". " + upper + " is a reserved word; as a name it is written \"" + upper + "\"";
    }
    return "";
  }

  private static boolean isFreeWord(Token token) {
    return token.kind == NelumboParserConstants.IDENTIFIER;
  }

  private static String name(Token token) {
    if (token.kind == NelumboParserConstants.EOF) {
      return "end of the statement";
    }
    String image = token.image;
    boolean quoted = image.startsWith("'") || image.startsWith("\"");
    String shown =
        image.length() <= IMAGE_LENGTH_MAX
            ? image
            : image.substring(0, IMAGE_LENGTH_MAX - 3) + "...";
    return quoted ? shown : "'" + shown + "'";
  }
}
