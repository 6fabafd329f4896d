package org.nelumbo.executor.expr;

import java.util.List;
import java.util.regex.Pattern;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;

/**
 * Creates functions of PostgreSQL and H2 that quote parts of SQL, decode texts and format patterns.
 */
public final class QuotingFunctions {
  private static final Pattern PLAIN_NAME = Pattern.compile("[a-z_][a-z0-9_]*");

  private QuotingFunctions() {}

  /** Creates H2's STRINGDECODE: decodes a text with Java's escape sequences, as in H2 scripts. */
  public static Expression decode(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "STRINGDECODE",
        type,
        (limits, values) -> {
          String text = (String) values[0];
          limits.workOnText(text.length());
          return decode(text);
        },
        operands);
  }

  private static String decode(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c != '\\') {
        out.append(c);
        continue;
      }
      char escaped = at < text.length() ? text.charAt(at) : 0;
      int digits = escaped == 'u' ? 4 : escaped >= '0' && escaped <= '3' ? 3 : 0;
      int from = escaped == 'u' ? at + 1 : at;
      if (digits > 0) {
        at = from + digits;
        out.append(character(text, from, at, digits == 4 ? 16 : 8));
        continue;
      }
      at++;
      out.append(
          switch (escaped) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case '#', '"', ':', '=', '\\' -> escaped;
            default -> throw notDecoded(text);
          });
    }
    return out.toString();
  }

  private static char character(String text, int from, int to, int radix) {
    try {
      return (char) Integer.parseInt(text.substring(from, to), radix);
    } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
      throw notDecoded(text);
    }
  }

  private static NelumboException notDecoded(String text) {
    return new NelumboException(
        ErrorCode.BAD_PARAMETER,
        "STRINGDECODE does not support a character that '" + text + "' has after \\");
  }

  /** Creates QUOTE_LITERAL: a text as a literal. */
  public static Expression literal(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "QUOTE_LITERAL",
        type,
        (limits, values) -> quoted(limits, (String) values[0], '\''),
        List.of(TextFunctions.text(operands.getFirst())));
  }

  /** Creates QUOTE_IDENT: a text as an identifier, quoted if necessary. */
  public static Expression name(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "QUOTE_IDENT",
        type,
        (limits, values) -> name(limits, (String) values[0]),
        List.of(TextFunctions.text(operands.getFirst())));
  }

  private static String name(StatementLimits limits, String text) {
    return PLAIN_NAME.matcher(text).matches() ? text : quoted(limits, text, '"');
  }

  private static String quoted(StatementLimits limits, String text, char quote) {
    limits.workOnText(text.length());
    String sign = Character.toString(quote);
    return sign + text.replace(sign, sign + sign) + sign;
  }

  /**
   * Creates FORMAT: a pattern in which {@code %s}, {@code %I} and {@code %L} are replaced by the
   * next argument, unchanged, as an identifier or as a literal; {@code %2$s} by the second
   * argument; and {@code %%} by a percent sign.
   */
  public static Expression format(ColumnType type, List<Expression> operands) {
    Expression[] texts =
        operands.stream().map(each -> TextFunctions.text(each)).toArray(Expression[]::new);
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            "FORMAT", type.orNull(), (frame, arguments) -> format(frame, arguments), texts));
  }

  private static Object format(Frame frame, Expression[] arguments) {
    String[] values = new String[arguments.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = (String) arguments[i].evalObject(frame);
    }
    String pattern = values[0];
    if (pattern == null) {
      return null;
    }
    StatementLimits limits = frame.limits();
    StringBuilder result = new StringBuilder();
    int next = 1;
    int from = 0;
    for (int sign; (sign = pattern.indexOf('%', from)) >= 0; ) {
      result.append(pattern, from, sign);
      int at = sign + 1;
      while (at < pattern.length() && Character.isDigit(pattern.charAt(at))) {
        at++;
      }
      int number = next;
      if (at > sign + 1 && at < pattern.length() && pattern.charAt(at) == '$' && at - sign < 6) {
        number = Integer.parseInt(pattern, sign + 1, at, 10);
        at++;
      } else if (at > sign + 1) {
        throw bad("a width in '" + pattern + "'; use LPAD or RPAD");
      }
      char kind = at < pattern.length() ? pattern.charAt(at) : 0;
      if (kind == '%' && at == sign + 1) {
        result.append('%');
      } else {
        if (number < 1 || number >= values.length) {
          throw bad("too few arguments for '" + pattern + "'");
        }
        result.append(argument(limits, kind, values[number], pattern));
        next = number + 1;
      }
      limits.checkLength(result.length(), "FORMAT");
      from = at + 1;
    }
    return result.append(pattern, from, pattern.length()).toString();
  }

  private static String argument(StatementLimits limits, char kind, String value, String pattern) {
    return switch (kind) {
      case 's' -> value == null ? "" : value;
      case 'L' -> value == null ? "NULL" : quoted(limits, value, '\'');
      case 'I' -> {
        if (value == null) {
          throw bad("NULL as a name in '" + pattern + "'");
        }
        yield name(limits, value);
      }
      default -> throw bad("'%' before no s, I, L or % in '" + pattern + "'");
    };
  }

  private static NelumboException bad(String problem) {
    return new NelumboException(ErrorCode.BAD_PARAMETER, "FORMAT cannot use " + problem);
  }
}
