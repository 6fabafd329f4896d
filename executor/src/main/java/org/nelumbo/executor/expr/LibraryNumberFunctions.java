package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Creates number functions of other databases. */
public final class LibraryNumberFunctions {
  private static final Pattern NUMBER_PATTERN =
      Pattern.compile("(SG?|MI|PL|L|\\$)?[90,G]*([.D][90]*)?(SG?|MI|PL|PR|L|\\$)?");
  private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+([.]\\d*)?|[.]\\d+)");

  private LibraryNumberFunctions() {}

  /**
   * Creates WIDTH_BUCKET: the number of the part, of several equal parts between two bounds, that
   * contains a number. The result is 0 before the first part, and one more than the number of parts
   * after the last.
   */
  public static Expression widthBucket(ColumnType type, List<Expression> operands) {
    boolean floating = operands.stream().limit(3).anyMatch(each -> each.type().kind().isFloating());
    List<Expression> numbers =
        operands.stream()
            .limit(3)
            .map(each -> floating ? Casts.toDouble(each) : Casts.toBig(each))
            .toList();
    Expression count = Casts.cast(ColumnType.of(Kind.BIGINT).orNull(), operands.get(3));
    return StrictFunctions.number(
        "WIDTH_BUCKET",
        type,
        (_, values) -> bucket(big(values[0]), big(values[1]), big(values[2]), (Long) values[3]),
        List.of(numbers.get(0), numbers.get(1), numbers.get(2), count));
  }

  private static BigDecimal big(Object value) {
    if (value instanceof BigDecimal number) {
      return number;
    }
    double number = Double.longBitsToDouble((Long) value);
    if (!Double.isFinite(number)) {
      throw new NelumboException(
          ErrorCode.NUMBER_OUT_OF_RANGE, "WIDTH_BUCKET takes finite numbers, not " + number);
    }
    return new BigDecimal(number);
  }

  private static long bucket(BigDecimal value, BigDecimal low, BigDecimal high, long count) {
    int direction = high.compareTo(low);
    if (count <= 0 || count >= Integer.MAX_VALUE || direction == 0) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          direction == 0
              ? "the bounds of WIDTH_BUCKET are equal: " + low.toPlainString()
              : "WIDTH_BUCKET takes a number of parts from 1 on, not " + count);
    }
    if (value.compareTo(low) * direction < 0) {
      return 0;
    } else if (value.compareTo(high) * direction >= 0) {
      return count + 1;
    }
    BigDecimal share = value.subtract(low).multiply(BigDecimal.valueOf(count));
    return share.divide(high.subtract(low), 0, RoundingMode.FLOOR).longValue() + 1;
  }

  /** Creates SCALE: the number of digits after the decimal point of an exact number. */
  public static Expression scale(ColumnType type, List<Expression> operands) {
    return StrictFunctions.number(
        "SCALE",
        type,
        (_, values) -> (long) Math.max(0, ((BigDecimal) values[0]).scale()),
        List.of(Casts.toBig(operands.getFirst())));
  }

  /**
   * Creates TO_NUMBER: the number that a text represents in a pattern of digits (9, 0), the decimal
   * point (. or D), group separators (, or G), signs (S, MI, PL, SG, PR), and currency symbols,
   * which are ignored.
   */
  public static Expression toNumber(ColumnType type, List<Expression> operands) {
    return StrictFunctions.object(
        "TO_NUMBER",
        type,
        (_, values) -> number(((String) values[0]).strip(), (String) values[1]),
        operands.stream().map(each -> TextFunctions.text(each)).toList());
  }

  private static BigDecimal number(String text, String pattern) {
    String upper = pattern.toUpperCase(Locale.ROOT);
    String plain = upper.startsWith("FM") ? upper.substring(2) : upper;
    if (!NUMBER_PATTERN.matcher(plain).matches()) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          "patterns of numbers have 9, 0, a comma (G), a point (D), a sign (S, MI, PL, PR) and $: "
              + pattern);
    }
    String digits = text.replace(",", "").replace("$", "").replace(" ", "");
    boolean inBrackets = digits.startsWith("<") && digits.endsWith(">");
    if (inBrackets) {
      digits = "-" + digits.substring(1, digits.length() - 1);
    } else if (digits.endsWith("-") || digits.endsWith("+")) {
      digits = digits.charAt(digits.length() - 1) + digits.substring(0, digits.length() - 1);
    }
    int point = plain.replace('D', '.').indexOf('.');
    if (!NUMBER.matcher(digits).matches() || tooLong(digits, plain, point)) {
      throw new NelumboException(
          ErrorCode.BAD_CAST, "'" + text + "' is not a number written as '" + pattern + "'");
    }
    return new BigDecimal(digits).stripTrailingZeros();
  }

  private static boolean tooLong(String digits, String pattern, int point) {
    int dot = digits.indexOf('.');
    long whole = count(dot < 0 ? digits : digits.substring(0, dot));
    long behind = dot < 0 ? 0 : count(digits.substring(dot));
    long positions = positions(point < 0 ? pattern : pattern.substring(0, point));
    return whole > positions || behind > (point < 0 ? 0 : positions(pattern.substring(point)));
  }

  private static long count(String digits) {
    return digits.chars().filter(Character::isDigit).count();
  }

  private static long positions(String pattern) {
    return pattern.chars().filter(c -> c == '9' || c == '0').count();
  }
}
