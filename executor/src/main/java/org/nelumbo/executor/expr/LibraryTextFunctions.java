package org.nelumbo.executor.expr;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates text functions of PostgreSQL, H2 and MySQL. */
public final class LibraryTextFunctions {
  private static final ColumnType NUMBER = ColumnType.of(Kind.BIGINT);

  private LibraryTextFunctions() {}

  private static List<Expression> texts(List<Expression> operands) {
    return operands.stream().map(each -> TextFunctions.text(each)).toList();
  }

  private static List<Expression> withNumber(int place, List<Expression> operands) {
    List<Expression> typed = new java.util.ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      typed.add(
          i == place ? Casts.cast(NUMBER, operands.get(i)) : TextFunctions.text(operands.get(i)));
    }
    return typed;
  }

  /** Creates LPAD or RPAD: pads a text to a number of characters, or truncates it. */
  public static Expression pad(boolean left, ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        left ? "LPAD" : "RPAD",
        type,
        (limits, values) -> pad(limits, left, (String) values[0], (Long) values[1], filler(values)),
        withNumber(1, operands));
  }

  private static String filler(Object[] values) {
    return values.length > 2 ? (String) values[2] : " ";
  }

  private static String pad(
      StatementLimits limits, boolean left, String text, long wanted, String filler) {
    int points = text.codePointCount(0, text.length());
    if (wanted <= points) {
      return text.substring(0, text.offsetByCodePoints(0, (int) Math.max(0, wanted)));
    } else if (filler.isEmpty()) {
      return text;
    }
    limits.checkLength(wanted, left ? "LPAD" : "RPAD");
    limits.workOnText(wanted);
    int[] parts = filler.codePoints().toArray();
    StringBuilder padding = new StringBuilder();
    for (int i = 0; i < wanted - points; i++) {
      padding.appendCodePoint(parts[i % parts.length]);
    }
    return left ? padding + text : text + padding;
  }

  /** Creates REPEAT. */
  public static Expression repeat(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "REPEAT",
        type,
        (limits, values) -> repeat(limits, "REPEAT", (String) values[0], (Long) values[1]),
        withNumber(1, operands));
  }

  /** Creates SPACE. */
  public static Expression space(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "SPACE",
        type,
        (limits, values) -> repeat(limits, "SPACE", " ", (Long) values[0]),
        withNumber(0, operands));
  }

  private static String repeat(StatementLimits limits, String function, String text, long times) {
    if (times <= 0 || text.isEmpty()) {
      return "";
    }
    long length = times > Long.MAX_VALUE / text.length() ? Long.MAX_VALUE : times * text.length();
    limits.checkLength(length, function);
    limits.workOnText(length);
    return text.repeat((int) times);
  }

  /** Creates REVERSE. */
  public static Expression reverse(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "REVERSE",
        type,
        (limits, values) -> {
          String text = (String) values[0];
          limits.workOnText(text.length());
          return new StringBuilder(text).reverse().toString();
        },
        texts(operands));
  }

  /** Creates NORMALIZE, which converts a text to Unicode normalization form C. */
  public static Expression normalize(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "NORMALIZE",
        type,
        (limits, values) -> {
          String text = (String) values[0];
          limits.workOnText(text.length());
          return Normalizer.normalize(text, Normalizer.Form.NFC);
        },
        texts(operands));
  }

  /** Creates CHR: the character of a code point. */
  public static Expression character(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "CHR",
        type,
        (_, values) -> {
          long point = (Long) values[0];
          boolean valid =
              point > 0
                  && point <= Character.MAX_CODE_POINT
                  && (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE);
          if (!valid) {
            throw new NelumboException(
                ErrorCode.BAD_PARAMETER, "there is no character with the number " + point);
          }
          return Character.toString((int) point);
        },
        withNumber(0, operands));
  }

  /** Creates ASCII: the code point of the first character, 0 for the empty text. */
  public static Expression codePoint(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "ASCII",
        type,
        (_, values) -> {
          String text = (String) values[0];
          return text.isEmpty() ? 0L : (long) text.codePointAt(0);
        },
        texts(operands));
  }

  /**
   * Creates SPLIT_PART: the part before, between or after separators; counted from the end if
   * negative.
   */
  public static Expression splitPart(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "SPLIT_PART",
        type,
        (limits, values) ->
            splitPart(limits, (String) values[0], (String) values[1], (Long) values[2]),
        withNumber(2, operands));
  }

  private static String splitPart(StatementLimits limits, String text, String by, long part) {
    if (part == 0) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          "parts of SPLIT_PART are counted from 1, or from the end from -1");
    }
    limits.workOnText(text.length());
    String[] parts =
        by.isEmpty() ? new String[] {text} : text.split(java.util.regex.Pattern.quote(by), -1);
    long index = part > 0 ? part - 1 : parts.length + part;
    return index >= 0 && index < parts.length ? parts[(int) index] : "";
  }

  /** Creates TRANSLATE: replaces characters one by one, and removes those without a replacement. */
  public static Expression translate(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "TRANSLATE",
        type,
        (limits, values) ->
            translate(limits, (String) values[0], (String) values[1], (String) values[2]),
        texts(operands));
  }

  private static String translate(StatementLimits limits, String text, String from, String to) {
    limits.workOnText(text.length() + (long) from.length());
    java.util.Map<Integer, Integer> map = new java.util.HashMap<>();
    int[] sources = from.codePoints().toArray();
    int[] targets = to.codePoints().toArray();
    for (int i = 0; i < sources.length; i++) {
      map.putIfAbsent(sources[i], i < targets.length ? targets[i] : -1);
    }
    StringBuilder result = new StringBuilder(text.length());
    text.codePoints()
        .map(point -> map.getOrDefault(point, point))
        .filter(point -> point >= 0)
        .forEach(result::appendCodePoint);
    return result.toString();
  }

  /** Creates OVERLAY(text PLACING other FROM start [FOR length]). */
  public static Expression overlay(ColumnType type, List<Expression> operands) {
    List<Expression> typed = new java.util.ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      typed.add(i < 2 ? TextFunctions.text(operands.get(i)) : Casts.cast(NUMBER, operands.get(i)));
    }
    return StrictFunctions.object(
        "OVERLAY",
        type,
        (limits, values) -> {
          String other = (String) values[1];
          long length =
              values.length > 3 ? (Long) values[3] : other.codePointCount(0, other.length());
          return overlay(limits, (String) values[0], other, (Long) values[2], length);
        },
        typed);
  }

  private static String overlay(
      StatementLimits limits, String text, String other, long start, long length) {
    if (start < 1 || length < 0) {
      throw new NelumboException(
          ErrorCode.BAD_SUBSTRING, "OVERLAY begins at 1 or later, and its length is not negative");
    }
    limits.checkLength((long) text.length() + other.length(), "OVERLAY");
    limits.workOnText(text.length() + (long) other.length());
    int points = text.codePointCount(0, text.length());
    int from = text.offsetByCodePoints(0, (int) Math.min(points, start - 1));
    long behind = Math.min(points, Math.min(points, start - 1) + Math.min(points, length));
    return text.substring(0, from)
        + other
        + text.substring(text.offsetByCodePoints(0, (int) behind));
  }

  /** Creates CONCAT_WS: concatenates the operands that are not NULL, with a separator. */
  public static Expression joinWithSeparator(ColumnType type, List<Expression> operands) {
    Expression[] all = texts(operands).toArray(Expression[]::new);
    return FunctionSupport.fold(
        new ObjectFunctionCall(
            "CONCAT_WS", type.orNull(), (frame, arguments) -> join(frame, arguments), all));
  }

  private static Object join(Frame frame, Expression[] arguments) {
    String separator = (String) arguments[0].evalObject(frame);
    if (separator == null) {
      return null;
    }
    StringBuilder result = new StringBuilder();
    boolean first = true;
    for (int i = 1; i < arguments.length; i++) {
      String next = (String) arguments[i].evalObject(frame);
      if (next != null) {
        frame
            .limits()
            .checkLength((long) result.length() + separator.length() + next.length(), "CONCAT_WS");
        frame.limits().workOnText(next.length());
        result.append(first ? "" : separator).append(next);
        first = false;
      }
    }
    return result.toString();
  }

  /** Creates STARTS_WITH or ENDS_WITH. */
  public static Expression affix(boolean start, ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        start ? "STARTS_WITH" : "ENDS_WITH",
        type,
        (_, values) -> {
          String text = (String) values[0];
          String part = (String) values[1];
          return (start ? text.startsWith(part) : text.endsWith(part)) ? 1L : 0L;
        },
        texts(operands));
  }

  /** Creates BIT_LENGTH of the text in UTF-8. */
  public static Expression bitLength(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "BIT_LENGTH",
        type,
        (_, values) -> 8L * ((String) values[0]).getBytes(StandardCharsets.UTF_8).length,
        texts(operands));
  }

  /** Creates TO_HEX. */
  public static Expression hex(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "TO_HEX", type, (_, values) -> Long.toHexString((Long) values[0]), withNumber(0, operands));
  }
}
