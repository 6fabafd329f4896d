package org.nelumbo.parser;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.nelumbo.parser.dialect.SqlSyntaxException;
import org.nelumbo.parser.impl.NelumboParser;
import org.nelumbo.parser.impl.ParseException;
import org.nelumbo.parser.impl.Token;
import org.nelumbo.parser.impl.TokenMgrError;

/** Converts exceptions of the generated parser to helpful errors. */
final class SyntaxErrors {
  private static final Pattern LEXICAL =
      Pattern.compile("(?s)Lexical error at line (\\d+), column (\\d+)\\.\\s+Encountered: (.*)");

  private SyntaxErrors() {}

  /** Returns the error for the text; rethrows errors of the virtual machine. */
  static SqlSyntaxException explain(String sql, NelumboParser parser, Throwable thrown) {
    SqlSyntaxException error =
        switch (thrown) {
          case ParseException e when e.currentToken != null -> unexpected(sql, e);
          case TokenMgrError e -> lexical(sql, e);
          case CalciteContextException e -> orUnsupported(sql, refused(e));
          case StackOverflowError e -> here(parser, "the statement is nested too deeply");
          case VirtualMachineError e -> throw e;
          default -> here(parser, message(thrown));
        };
    error.initCause(thrown);
    return error;
  }

  private static SqlSyntaxException unexpected(String sql, ParseException e) {
    SqlSyntaxException error = UnexpectedToken.explain(e);
    UnclosedText unclosed = UnclosedText.find(sql);
    boolean causedBy =
        unclosed != null && unclosed.line() == error.line() && unclosed.column() == error.column();
    return causedBy
        ? new SqlSyntaxException(unclosed.problem(), unclosed.line(), unclosed.column())
        : orUnsupported(sql, error);
  }

  private static SqlSyntaxException orUnsupported(String sql, SqlSyntaxException error) {
    String advice = UnsupportedSyntax.advice(sql);
    return advice == null
        ? error
        : SqlSyntaxException.unsupported(advice, error.line(), error.column());
  }

  private static SqlSyntaxException refused(CalciteContextException e) {
    String message = message(e.getCause() == null ? e : e.getCause());
    return new SqlSyntaxException(
        plain(message), Math.max(1, e.getPosLine()), Math.max(1, e.getPosColumn()));
  }

  private static String plain(String message) {
    if (message.startsWith("Non-query expression")) {
      return "a query is expected here, not a value";
    }
    if (message.startsWith("Query expression")) {
      return "a query is not allowed here; as a value it stands in parentheses";
    }
    if (message.startsWith("Join expression")) {
      return "a join is not allowed here; write (SELECT * FROM ...) AS name";
    }
    if (message.startsWith("Length of identifier")) {
      return "a name may have at most " + SqlParsing.IDENTIFIER_LENGTH_MAX + " characters";
    }
    return message;
  }

  private static SqlSyntaxException lexical(String sql, TokenMgrError e) {
    UnclosedText unclosed = UnclosedText.find(sql);
    if (unclosed != null) {
      return new SqlSyntaxException(unclosed.problem(), unclosed.line(), unclosed.column());
    }
    Matcher matcher = LEXICAL.matcher(e.getMessage());
    if (!matcher.matches()) {
      return new SqlSyntaxException(e.getMessage(), 1, 1);
    }
    int line = Integer.parseInt(matcher.group(1));
    int column = Integer.parseInt(matcher.group(2));
    return new SqlSyntaxException(
        "unexpected character " + UnclosedText.characterAt(sql, line, column), line, column);
  }

  private static SqlSyntaxException here(NelumboParser parser, String problem) {
    Token token = parser.getToken(0);
    return new SqlSyntaxException(
        problem, Math.max(1, token.beginLine), Math.max(1, token.beginColumn));
  }

  private static String message(Throwable thrown) {
    return thrown.getMessage() == null ? thrown.getClass().getSimpleName() : thrown.getMessage();
  }
}
