package org.nelumbo.executor.expr;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Creates functions with regular expressions. These are RE2's, which take time linear in the text,
 * so no pattern can keep a statement busy. Back references and lookaround are not supported.
 */
public final class TextPatterns {

  private TextPatterns() {}

  /** Usually the only pattern of the expression. */
  private static final class Compiled {
    private volatile Entry last;

    private record Entry(String text, int flags, Pattern pattern) {}

    Pattern get(String text, int flags) {
      Entry known = last;
      if (known == null || known.flags != flags || !known.text.equals(text)) {
        known = new Entry(text, flags, compile(text, flags));
        last = known;
      }
      return known.pattern;
    }

    private static Pattern compile(String text, int flags) {
      try {
        return Pattern.compile(text, flags);
      } catch (PatternSyntaxException e) {
        throw new NelumboException(
            ErrorCode.BAD_REGULAR_EXPRESSION,
            "not a regular expression: '" + text + "': " + e.getDescription(),
            e);
      }
    }
  }

  private static int flags(String letters) {
    int flags = 0;
    for (int i = 0; i < letters.length(); i++) {
      flags |=
          switch (letters.charAt(i)) {
            case 'i' -> Pattern.CASE_INSENSITIVE;
            case 's', 'n' -> Pattern.DOTALL;
            case 'm' -> Pattern.MULTILINE;
            case 'c', 'g' -> 0;
            default ->
                throw new NelumboException(
                    ErrorCode.BAD_PARAMETER,
                    "flags of regular expressions are i, c, m, s and g, not '" + letters + "'");
          };
    }
    return flags;
  }

  private static List<Expression> texts(List<Expression> operands) {
    return operands.stream().map(each -> TextFunctions.text(each)).toList();
  }

  private static Matcher matcher(
      StatementLimits limits, Compiled compiled, Object[] values, String flags) {
    String text = (String) values[0];
    limits.workOnText(text.length() + 64L);
    return compiled.get((String) values[1], flags(flags)).matcher(text);
  }

  /** Creates REGEXP_LIKE: true if the pattern occurs anywhere in the text. */
  public static Expression like(ColumnType type, List<Expression> operands) {
    Compiled compiled = new Compiled();
    return StrictFunctions.number(
        "REGEXP_LIKE",
        type,
        (limits, values) -> {
          String flags = values.length > 2 ? (String) values[2] : "";
          return matcher(limits, compiled, values, flags).find() ? 1L : 0L;
        },
        texts(operands));
  }

  /**
   * Creates {@code text ~ pattern}, or {@code ~*}: true if the pattern occurs anywhere in the text.
   */
  public static Expression matches(List<Expression> operands, boolean ignoreCase) {
    Compiled compiled = new Compiled();
    return StrictFunctions.number(
        ignoreCase ? "~*" : "~",
        ColumnType.of(Kind.BOOLEAN),
        (limits, values) ->
            matcher(limits, compiled, values, ignoreCase ? "i" : "").find() ? 1L : 0L,
        texts(operands));
  }

  /**
   * Creates {@code text SIMILAR TO pattern [ESCAPE escape]}.
   *
   * @param escape escape character, or null
   */
  public static Expression similar(Expression text, Expression pattern, Expression escape) {
    Compiled compiled = new Compiled();
    return StrictFunctions.number(
        "SIMILAR TO",
        ColumnType.of(Kind.BOOLEAN),
        (limits, values) -> {
          String similar = (String) values[1];
          limits.workOnText(((String) values[0]).length() + similar.length() + 64L);
          String regular = regular(similar, values.length > 2 ? (String) values[2] : null);
          return compiled.get(regular, Pattern.DOTALL).matcher((String) values[0]).matches()
              ? 1L
              : 0L;
        },
        texts(escape == null ? List.of(text, pattern) : List.of(text, pattern, escape)));
  }

  private static String regular(String similar, String escape) {
    int escapePoint = LikePattern.escapePoint(escape);
    StringBuilder regular = new StringBuilder();
    boolean inClass = false;
    int[] points = similar.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      int point = points[i];
      if (point == escapePoint) {
        i++;
        if (i == points.length) {
          throw new NelumboException(
              ErrorCode.BAD_ESCAPE, "pattern ends with the escape character pattern=" + similar);
        }
        regular.append(Pattern.quote(Character.toString(points[i])));
      } else if (inClass) {
        inClass = point != ']';
        regular.append(point == '\\' ? "\\\\" : Character.toString(point));
      } else {
        inClass = point == '[';
        switch (point) {
          case '%' -> regular.append(".*");
          case '_' -> regular.append('.');
          case '.', '^', '$', '\\' -> regular.append('\\').appendCodePoint(point);
          default -> regular.appendCodePoint(point);
        }
      }
    }
    return regular.toString();
  }

  /**
   * Creates REGEXP_SUBSTR: the matched text, or NULL. The third operand is the character at which
   * the search starts, the fourth the number of the match.
   */
  public static Expression find(ColumnType type, List<Expression> operands) {
    Compiled compiled = new Compiled();
    return StrictFunctions.object(
        "REGEXP_SUBSTR",
        type.orNull(),
        (limits, values) -> {
          Matcher matcher = found(limits, compiled, values);
          return matcher == null ? null : matcher.group();
        },
        withPlaces(operands));
  }

  /** Creates REGEXP_INSTR: the position of the match, counted from 1; 0 if there is none. */
  public static Expression place(ColumnType type, List<Expression> operands) {
    Compiled compiled = new Compiled();
    return StrictFunctions.number(
        "REGEXP_INSTR",
        type,
        (limits, values) -> {
          Matcher matcher = found(limits, compiled, values);
          return matcher == null
              ? 0L
              : 1L + ((String) values[0]).codePointCount(0, matcher.start());
        },
        withPlaces(operands));
  }

  private static Matcher found(StatementLimits limits, Compiled compiled, Object[] values) {
    long from = values.length > 2 ? (Long) values[2] : 1;
    long count = values.length > 3 ? (Long) values[3] : 1;
    if (from < 1 || count < 1) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          "positions in texts are counted from 1, not " + Math.min(from, count));
    }
    String text = (String) values[0];
    Matcher matcher = matcher(limits, compiled, values, "");
    if (from - 1 > text.codePointCount(0, text.length())) {
      return null;
    }
    boolean found = matcher.find(text.offsetByCodePoints(0, (int) (from - 1)));
    for (long i = 1; found && i < count; i++) {
      limits.work(1);
      found = matcher.find();
    }
    return found ? matcher : null;
  }

  private static List<Expression> withPlaces(List<Expression> operands) {
    List<Expression> typed = new ArrayList<>(texts(operands.subList(0, 2)));
    operands
        .subList(2, operands.size())
        .forEach(each -> typed.add(Casts.cast(ColumnType.of(Kind.BIGINT), each)));
    return typed;
  }

  /** Creates REGEXP_COUNT: the number of matches. */
  public static Expression count(ColumnType type, List<Expression> operands) {
    Compiled compiled = new Compiled();
    return StrictFunctions.number(
        "REGEXP_COUNT",
        type,
        (limits, values) -> {
          Matcher matcher = matcher(limits, compiled, values, "");
          long count = 0;
          while (matcher.find()) {
            limits.work(1);
            count++;
          }
          return count;
        },
        texts(operands));
  }

  /**
   * Creates REGEXP_REPLACE: replaces the first match, or all matches with the flag g. In the
   * replacement {@code \1} is the first group, {@code \&} the match.
   */
  public static Expression replace(ColumnType type, List<Expression> operands) {
    Compiled compiled = new Compiled();
    return StrictFunctions.object(
        "REGEXP_REPLACE",
        type,
        (limits, values) -> {
          String flags = values.length > 3 ? (String) values[3] : "";
          Matcher matcher = matcher(limits, compiled, values, flags);
          return replace(
              limits, matcher, (String) values[0], (String) values[2], flags.indexOf('g') >= 0);
        },
        texts(operands));
  }

  private static String replace(
      StatementLimits limits, Matcher matcher, String text, String replacement, boolean all) {
    StringBuilder result = new StringBuilder();
    int from = 0;
    while (matcher.find()) {
      limits.work(1);
      result.append(text, from, matcher.start());
      append(result, matcher, replacement);
      limits.checkLength(result.length(), "REGEXP_REPLACE");
      from = matcher.end();
      if (!all) {
        break;
      }
    }
    return result.append(text, from, text.length()).toString();
  }

  private static void append(StringBuilder result, Matcher matcher, String replacement) {
    for (int i = 0; i < replacement.length(); i++) {
      char c = replacement.charAt(i);
      if (c != '\\' || i + 1 == replacement.length()) {
        result.append(c);
        continue;
      }
      char next = replacement.charAt(++i);
      int group = next == '&' ? 0 : Character.digit(next, 10);
      if (group < 0) {
        result.append(next);
      } else if (group <= matcher.groupCount() && matcher.group(group) != null) {
        result.append(matcher.group(group));
      }
    }
  }
}
