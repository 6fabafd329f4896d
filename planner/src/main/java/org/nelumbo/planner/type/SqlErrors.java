package org.nelumbo.planner.type;

import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * Converts exceptions of the parser and validator to Nelumbo's errors, with SQLState, position and
 * advice.
 */
public final class SqlErrors {
  private static final List<Rule> RULES =
      List.of(
          rule("(Object|Table) '.*' not found.*", ErrorCode.NO_SUCH_TABLE, ""),
          rule("Column '.*' not found.*", ErrorCode.NO_SUCH_COLUMN, ""),
          rule("Unknown (target column|field|identifier) .*", ErrorCode.NO_SUCH_COLUMN, ""),
          rule(
              "Column '.*' has no default value and does not allow NULLs",
              ErrorCode.NOT_NULL_VIOLATION,
              "; give it a value"),
          rule("Column '.*' is ambiguous", ErrorCode.INVALID_STATEMENT, "; write table.column"),
          rule(
              "Illegal use of dynamic parameter",
              ErrorCode.TYPE_MISMATCH,
              ": its type cannot be derived here; write CAST(? AS type)"),
          rule("Cannot (apply|assign|infer|convert) .*", ErrorCode.TYPE_MISMATCH, ""),
          rule(
              ".*compatible types.*|.*Cast function cannot convert.*|.*must be of.*type.*|.*type"
                  + " mismatch.*",
              ErrorCode.TYPE_MISMATCH,
              ""),
          rule("Parameters must be of the same type", ErrorCode.TYPE_MISMATCH, ""),
          rule(
              "Length of fixed string literal.*|Numeric literal .* out of range.*",
              ErrorCode.NUMBER_OUT_OF_RANGE,
              ""),
          rule(".*(I|i)llegal (DATE|TIME|TIMESTAMP) literal.*", ErrorCode.BAD_DATETIME, ""),
          rule("Unknown datatype name .*", ErrorCode.SYNTAX_ERROR, ""));

  private static final Pattern NO_FUNCTION =
      Pattern.compile("No match found for function signature ([^(]+)(\\(.*\\))?", Pattern.DOTALL);

  private static final Pattern NO_TABLE = Pattern.compile("(?:Object|Table) '([^']*)' not found");
  private static final Pattern NO_COLUMN =
      Pattern.compile("Column '([^']*)' not found in any table");
  private static final Pattern NO_TYPE = Pattern.compile("Unknown identifier '([^']*)'");

  private record Rule(Pattern pattern, ErrorCode code, String advice) {}

  private SqlErrors() {}

  private static Rule rule(String pattern, ErrorCode code, String advice) {
    return new Rule(Pattern.compile(pattern, Pattern.DOTALL), code, advice);
  }

  /** Converts any exception from parsing, validating or planning a statement. */
  public static NelumboException map(Throwable error) {
    if (error instanceof NelumboException ours) {
      return ours;
    }
    if (error.getCause() instanceof NelumboException ours) {
      return ours;
    }
    if (error instanceof SqlSyntaxException syntax
        && !(error.getCause() instanceof StackOverflowError)) {
      return new NelumboException(
          syntax.isUnsupported() ? ErrorCode.UNSUPPORTED : ErrorCode.SYNTAX_ERROR,
          syntax.getMessage(),
          syntax.line(),
          syntax.column());
    }
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof NelumboException ours) {
        return ours;
      }
      if (cause instanceof CalciteContextException context) {
        return fromContext(context);
      }
    }
    if (error instanceof StackOverflowError || error.getCause() instanceof StackOverflowError) {
      return new NelumboException(
          ErrorCode.STATEMENT_TOO_COMPLEX,
          "the statement is nested too deeply, or has too many parts, for the stack of the thread:"
              + " split it, or run it in a thread with a larger stack (-Xss)",
          error);
    }
    if (error instanceof IllegalArgumentException
        && error.getMessage() != null
        && error.getMessage().endsWith("due to overflow")) {
      return new NelumboException(ErrorCode.NUMBER_OUT_OF_RANGE, error.getMessage(), error);
    }
    if (error instanceof AssertionError
        && error.getMessage() != null
        && error.getMessage().endsWith("is not a group expr")) {
      return new NelumboException(
          ErrorCode.UNSUPPORTED,
          "a subquery reads a column of an outer query that does not group by it: "
              + error.getMessage().replaceFirst("Identifier '(.*)' is not a group expr", "$1"),
          error);
    }
    if (error instanceof UnsupportedCharsetException charset) {
      return new NelumboException(
          ErrorCode.UNSUPPORTED,
          "there is no character set "
              + charset.getCharsetName()
              + " to CONVERT to; a conversion to another type is CAST(... AS type)",
          error);
    }
    return new NelumboException(
        error instanceof UnsupportedOperationException ? ErrorCode.UNSUPPORTED : ErrorCode.INTERNAL,
        "The statement could not be planned: " + error,
        error);
  }

  /** Returns a message without the list of supported forms, which takes many lines. */
  private static String firstLine(String message) {
    int forms = message.indexOf(" Supported form(s):");
    return forms < 0 ? message : message.substring(0, forms).replaceFirst("\\.$", "");
  }

  private static String arguments(String typesOrNull) {
    return typesOrNull == null ? "" : typesOrNull.replaceAll("[<>]", "");
  }

  private static NelumboException fromContext(CalciteContextException error) {
    Throwable cause = error.getCause();
    String message =
        firstLine(cause == null ? error.getMessage() : cause.getMessage())
            .replace(NelumboTypeFactory.NUMERIC_DIGEST, "NUMERIC");
    Matcher call = NO_FUNCTION.matcher(message);
    if (call.matches()) {
      message = "there is no function " + call.group(1) + arguments(call.group(2));
    }
    String advice = call.matches() ? UnsupportedNames.ofFunction(call.group(1)) : advice(message);
    if (advice != null) {
      message += "; " + advice;
      return at(ErrorCode.UNSUPPORTED, message, error.getPosLine(), error.getPosColumn());
    }
    for (Rule rule : RULES) {
      if (rule.pattern.matcher(message).matches()) {
        return at(rule.code, message + rule.advice, error.getPosLine(), error.getPosColumn());
      }
    }
    return at(ErrorCode.INVALID_STATEMENT, message, error.getPosLine(), error.getPosColumn());
  }

  private static String advice(String message) {
    Matcher name = NO_TABLE.matcher(message);
    if (name.lookingAt()) {
      return UnsupportedNames.ofTable(name.group(1));
    }
    Matcher column = NO_COLUMN.matcher(message);
    if (column.matches()) {
      return UnsupportedNames.ofColumn(column.group(1));
    }
    Matcher type = NO_TYPE.matcher(message);
    return type.matches() ? UnsupportedNames.ofType(type.group(1)) : null;
  }

  /** Creates an error at a position in the text, which the message includes. */
  public static NelumboException at(ErrorCode code, String message, int line, int column) {
    return line <= 0
        ? new NelumboException(code, message)
        : new NelumboException(
            code, "At line " + line + ", column " + column + ": " + message, line, column);
  }

  public static NelumboException at(ErrorCode code, String message, SqlParserPos position) {
    return at(code, message, position.getLineNum(), position.getColumnNum());
  }
}
