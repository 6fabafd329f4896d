package org.nelumbo.executor.expr;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Creates text functions. Positions count characters (code points) from 1. Operands that are not
 * text are cast to text first; the nullability of result types is derived.
 */
public final class TextFunctions {
  private static final ColumnType TEXT = ColumnType.of(Kind.VARCHAR);
  private static final ColumnType NUMBER = ColumnType.of(Kind.BIGINT);

  private TextFunctions() {}

  /**
   * Creates {@code text LIKE pattern [ESCAPE escape]}.
   *
   * @param escape escape character, or null
   */
  public static Expression like(Expression text, Expression pattern, Expression escape) {
    return FunctionSupport.fold(
        new Like(text(text), text(pattern), escape == null ? null : text(escape)));
  }

  static Expression text(Expression operand) {
    return operand.type().kind().isCharacter() ? operand : Casts.cast(TEXT, operand);
  }

  private static Expression number(Expression operand) {
    return Casts.cast(NUMBER, operand);
  }

  /**
   * Creates {@code left || right || ...}: NULL if an operand is NULL; binary operands yield binary.
   */
  public static Expression concat(ColumnType type, List<Expression> operands) {
    Expression[] all = operands.toArray(Expression[]::new);
    ColumnType result = NumericFunctions.nullable(type, all);
    if (type.kind().isBinary()) {
      return FunctionSupport.fold(
          new ObjectFunctionCall("||", result, TextFunctions::joinBinary, all));
    }
    Expression[] texts = operands.stream().map(TextFunctions::text).toArray(Expression[]::new);
    return FunctionSupport.fold(
        new ObjectFunctionCall("||", result, (f, a) -> join(f, a, false), texts));
  }

  /** Creates CONCAT, which works like {@code ||}, but treats NULL as the empty text. */
  public static Expression concatIgnoringNulls(ColumnType type, List<Expression> operands) {
    Expression[] texts = operands.stream().map(TextFunctions::text).toArray(Expression[]::new);
    ColumnType result = type.withNullable(false);
    return FunctionSupport.fold(
        new ObjectFunctionCall("CONCAT", result, (f, a) -> join(f, a, true), texts));
  }

  private static Object join(Frame frame, Expression[] operands, boolean ignoreNulls) {
    return operands.length == 2
        ? joinTwo(frame, operands, ignoreNulls)
        : joinMany(frame, operands, ignoreNulls);
  }

  private static Object joinTwo(Frame frame, Expression[] operands, boolean ignoreNulls) {
    String left = (String) operands[0].evalObject(frame);
    if (left == null && !ignoreNulls) {
      return null;
    }
    String right = (String) operands[1].evalObject(frame);
    if (right == null && !ignoreNulls) {
      return null;
    }
    if (left == null || left.isEmpty()) {
      return right == null ? "" : right;
    }
    if (right == null || right.isEmpty()) {
      return left;
    }
    checkJoined(frame, (long) left.length() + right.length(), right.length());
    return left.concat(right);
  }

  private static Object joinMany(Frame frame, Expression[] operands, boolean ignoreNulls) {
    StringBuilder result = new StringBuilder();
    for (Expression operand : operands) {
      String next = (String) operand.evalObject(frame);
      if (next != null) {
        checkJoined(frame, (long) result.length() + next.length(), next.length());
        result.append(next);
      } else if (!ignoreNulls) {
        return null;
      }
    }
    return result.toString();
  }

  private static void checkJoined(Frame frame, long length, int added) {
    frame.limits().checkLength(length, "||");
    frame.limits().workOnText(added);
  }

  private static Object joinBinary(Frame frame, Expression[] operands) {
    byte[][] parts = new byte[operands.length][];
    long length = 0;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = (byte[]) operands[i].evalObject(frame);
      if (parts[i] == null) {
        return null;
      }
      length += parts[i].length;
      checkJoined(frame, length, parts[i].length);
    }
    byte[] result = new byte[(int) length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, result, at, part.length);
      at += part.length;
    }
    return result;
  }

  /** Creates UPPER. */
  public static Expression upper(ColumnType type, Expression operand) {
    return mapped("UPPER", type, text -> text.toUpperCase(Locale.ROOT), operand);
  }

  /** Creates LOWER. */
  public static Expression lower(ColumnType type, Expression operand) {
    return mapped("LOWER", type, text -> text.toLowerCase(Locale.ROOT), operand);
  }

  /** Creates INITCAP: the first letter of each word in upper case, the others in lower case. */
  public static Expression initcap(ColumnType type, Expression operand) {
    return mapped("INITCAP", type, TextFunctions::initcap, operand);
  }

  private static String initcap(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean inside = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      out.append(inside ? Character.toLowerCase(c) : Character.toUpperCase(c));
      inside = Character.isLetterOrDigit(c);
    }
    return out.toString();
  }

  private static Expression mapped(
      String name, ColumnType type, UnaryOperator<String> function, Expression operand) {
    ObjectFunctionCall.Body body =
        (f, a) -> {
          String text = (String) a[0].evalObject(f);
          if (text == null) {
            return null;
          }
          f.limits().workOnText(text.length());
          return function.apply(text);
        };
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            name, NumericFunctions.nullable(type, operand), body, text(operand)));
  }

  /**
   * Creates TRIM, which removes any of the given characters from the start, the end or both.
   *
   * @param what characters to remove, or null for blanks
   */
  public static Expression trim(
      ColumnType type, boolean leading, boolean trailing, Expression what, Expression operand) {
    Expression character =
        what == null ? Expressions.literal(ColumnType.of(Kind.VARCHAR, 1), " ") : text(what);
    String name = leading && trailing ? "TRIM" : leading ? "LTRIM" : "RTRIM";
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            name,
            NumericFunctions.nullable(type, operand, character),
            (f, a) -> trim(leading, trailing, f, a),
            text(operand),
            character));
  }

  private static Object trim(
      boolean leading, boolean trailing, Frame frame, Expression[] arguments) {
    String text = (String) arguments[0].evalObject(frame);
    String what = (String) arguments[1].evalObject(frame);
    if (text == null || what == null) {
      return null;
    }
    frame.limits().workOnText((long) text.length() * Math.max(1, what.length()));
    int start = 0;
    int end = text.length();
    while (leading && start < end && what.indexOf(text.codePointAt(start)) >= 0) {
      start += Character.charCount(text.codePointAt(start));
    }
    while (trailing && start < end && what.indexOf(text.codePointBefore(end)) >= 0) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }

  /**
   * Creates SUBSTRING(text FROM from [FOR length]), also for binary values.
   *
   * @param length length, or null
   */
  public static Expression substring(
      ColumnType type, Expression operand, Expression from, Expression length) {
    boolean binary = operand.type().kind().isBinary();
    Expression source = binary ? operand : text(operand);
    Expression[] arguments =
        length == null
            ? new Expression[] {source, number(from)}
            : new Expression[] {source, number(from), number(length)};
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            "SUBSTRING", NumericFunctions.nullable(type, arguments), Substring::eval, arguments));
  }

  /** Creates LEFT(text, n): the first n characters; all but the last -n if n is negative. */
  public static Expression left(ColumnType type, Expression operand, Expression count) {
    return side("LEFT", type, operand, count);
  }

  /** Creates RIGHT(text, n): the last n characters; all but the first -n if n is negative. */
  public static Expression right(ColumnType type, Expression operand, Expression count) {
    return side("RIGHT", type, operand, count);
  }

  private static Expression side(
      String name, ColumnType type, Expression operand, Expression count) {
    boolean isLeft = name.equals("LEFT");
    ObjectFunctionCall.Body body =
        (f, a) -> {
          String text = (String) a[0].evalObject(f);
          long wanted = a[1].evalLong(f);
          if (f.takeNull() || text == null) {
            return null;
          }
          f.limits().workOnText(text.length());
          int points = text.codePointCount(0, text.length());
          long kept = wanted < 0 ? Math.max(0, points + wanted) : Math.min(points, wanted);
          int at = text.offsetByCodePoints(0, (int) (isLeft ? kept : points - kept));
          return isLeft ? text.substring(0, at) : text.substring(at);
        };
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            name,
            NumericFunctions.nullable(type, operand, count),
            body,
            text(operand),
            number(count)));
  }

  /**
   * Creates CHAR_LENGTH, which includes trailing blanks of CHAR. For binary, it is the number of
   * bytes.
   */
  public static Expression charLength(ColumnType type, Expression operand) {
    if (operand.type().kind().isBinary()) {
      return octetLength(type, operand);
    }
    LongFunctionCall.Body body =
        (f, a) -> {
          String text = (String) a[0].evalObject(f);
          if (text == null) {
            return f.nullLong();
          }
          f.limits().workOnText(text.length());
          return text.codePointCount(0, text.length());
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            "CHAR_LENGTH", NumericFunctions.nullable(type, operand), body, text(operand)));
  }

  /** Creates OCTET_LENGTH: the number of bytes of a binary value, or of a text in UTF-8. */
  public static Expression octetLength(ColumnType type, Expression operand) {
    boolean isBinary = operand.type().kind().isBinary();
    Expression bytes = isBinary ? operand : text(operand);
    LongFunctionCall.Body body =
        (f, a) -> {
          return switch (a[0].evalObject(f)) {
            case null -> f.nullLong();
            case byte[] value -> value.length;
            case Object value -> ((String) value).getBytes(StandardCharsets.UTF_8).length;
          };
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            "OCTET_LENGTH", NumericFunctions.nullable(type, operand), body, bytes));
  }

  /**
   * Creates POSITION(what IN text [FROM start]): counted from 1; 0 if absent.
   *
   * @param startOrNull position at which the search starts, or null
   */
  public static Expression position(
      ColumnType type, Expression what, Expression operand, Expression startOrNull) {
    Expression start = startOrNull == null ? Expressions.literal(NUMBER, 1L) : number(startOrNull);
    LongFunctionCall.Body body =
        (f, a) -> {
          String wanted = (String) a[0].evalObject(f);
          String text = (String) a[1].evalObject(f);
          if (wanted == null || text == null) {
            return f.nullLong();
          }
          long first = a[2].evalLong(f);
          if (f.isNull) {
            return 0;
          }
          if (first < 1 || first > text.codePointCount(0, text.length()) + 1L) {
            return 0;
          }
          int from = text.offsetByCodePoints(0, (int) first - 1);
          int found = new TextSearch(wanted).find(text, from, text.length(), f.limits());
          return found < 0 ? 0 : text.codePointCount(0, found) + 1;
        };
    return FunctionSupport.fold(
        new LongFunctionCall(
            "POSITION",
            NumericFunctions.nullable(type, what, operand, start),
            body,
            text(what),
            text(operand),
            start));
  }

  /** Creates REPLACE(text, from, to). */
  public static Expression replace(
      ColumnType type, Expression operand, Expression from, Expression to) {
    ObjectFunctionCall.Body body =
        (f, a) -> {
          String text = (String) a[0].evalObject(f);
          String old = (String) a[1].evalObject(f);
          String replacement = (String) a[2].evalObject(f);
          if (text == null || old == null || replacement == null) {
            return null;
          }
          return old.isEmpty() ? text : replaceAll(f.limits(), text, old, replacement);
        };
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            "REPLACE",
            NumericFunctions.nullable(type, operand, from, to),
            body,
            text(operand),
            text(from),
            text(to)));
  }

  /** Two passes, so that the length of the result is known before it is built. */
  private static String replaceAll(
      StatementLimits limits, String text, String old, String replacement) {
    TextSearch search = new TextSearch(old);
    int count = 0;
    for (int at = 0; (at = search.find(text, at, text.length(), limits)) >= 0; at += old.length()) {
      count++;
    }
    if (count == 0) {
      return text;
    }
    long length = text.length() + (long) count * (replacement.length() - old.length());
    limits.checkLength(length, "REPLACE");
    limits.workOnText(length);
    StringBuilder result = new StringBuilder((int) length);
    int from = 0;
    for (int i = 0; i < count; i++) {
      int at = search.find(text, from, text.length(), limits);
      result.append(text, from, at).append(replacement);
      from = at + old.length();
    }
    return result.append(text, from, text.length()).toString();
  }
}
