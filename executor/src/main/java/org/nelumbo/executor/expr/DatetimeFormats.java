package org.nelumbo.executor.expr;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.format.SignStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.time.temporal.WeekFields;
import java.util.List;
import java.util.Locale;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Creates TO_CHAR, TO_DATE and TO_TIMESTAMP with PostgreSQL's patterns, such as YYYY-MM-DD
 * HH24:MI:SS.
 */
public final class DatetimeFormats {
  private static final long MICROS = 1_000_000L;
  private static final LocalDateTime EPOCH = LocalDate.EPOCH.atStartOfDay();

  /** Patterns; a pattern precedes the patterns that are prefixes of it. */
  private static final List<String> PATTERNS =
      List.of(
          "HH24", "HH12", "YYYY", "MONTH", "Month", "month", "IYYY", "DDD", "DAY", "Day", "day",
          "MON", "Mon", "mon", "HH", "MI", "SS", "MS", "US", "YY", "MM", "DD", "DY", "Dy", "dy",
          "IW", "AM", "PM", "am", "pm", "Q", "D");

  private DatetimeFormats() {}

  private static final class Compiled {
    private volatile Entry last;

    private record Entry(String text, boolean fills, DateTimeFormatter formatter) {}

    DateTimeFormatter get(String text, boolean fills) {
      Entry known = last;
      if (known == null || !known.text.equals(text) || known.fills != fills) {
        known = new Entry(text, fills, compile(text, fills));
        last = known;
      }
      return known.formatter;
    }
  }

  private static DateTimeFormatter compile(String text, boolean reads) {
    DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive();
    boolean fill = !reads;
    int at = 0;
    while (at < text.length()) {
      if (text.startsWith("FM", at)) {
        fill = false;
        at += 2;
        continue;
      }
      if (text.charAt(at) == '"') {
        int end = text.indexOf('"', at + 1);
        int last = end < 0 ? text.length() : end;
        builder.appendLiteral(text.substring(at + 1, last));
        at = last + 1;
        continue;
      }
      String pattern = patternAt(text, at);
      if (pattern == null) {
        if (Character.isLetter(text.charAt(at))) {
          throw new NelumboException(
              ErrorCode.BAD_PARAMETER,
              "'" + text.substring(at) + "' is not a pattern of dates; text is put in \"quotes\"");
        }
        builder.appendLiteral(text.charAt(at));
        at++;
      } else {
        append(builder, pattern, fill, reads);
        at += pattern.length();
        fill = !reads;
      }
    }
    if (reads) {
      addFirstDay(builder, text.toUpperCase(Locale.ROOT));
      return builder.toFormatter(Locale.ENGLISH).withResolverStyle(ResolverStyle.STRICT);
    }
    return builder.toFormatter(Locale.ENGLISH);
  }

  private static void addFirstDay(DateTimeFormatterBuilder builder, String pattern) {
    if (!pattern.contains("DDD") && !pattern.contains("IW")) {
      if (!pattern.contains("MM") && !pattern.contains("MON")) {
        builder.parseDefaulting(ChronoField.MONTH_OF_YEAR, 1);
      }
      if (!pattern.contains("DD")) {
        builder.parseDefaulting(ChronoField.DAY_OF_MONTH, 1);
      }
    }
  }

  private static String patternAt(String text, int at) {
    for (String pattern : PATTERNS) {
      if (text.startsWith(pattern, at)) {
        return pattern;
      }
    }
    String upper = text.toUpperCase(Locale.ROOT);
    for (String pattern : PATTERNS) {
      if (upper.startsWith(pattern, at)) {
        return pattern;
      }
    }
    return null;
  }

  private static void append(
      DateTimeFormatterBuilder builder, String pattern, boolean fill, boolean reads) {
    switch (pattern) {
      case "YYYY" -> number(builder, ChronoField.YEAR, 4, fill);
      case "YY" -> builder.appendValueReduced(ChronoField.YEAR, 2, 2, LocalDate.of(1970, 1, 1));
      case "IYYY" -> builder.appendValue(IsoFields.WEEK_BASED_YEAR, 4);
      case "MM" -> number(builder, ChronoField.MONTH_OF_YEAR, 2, fill);
      case "DD" -> number(builder, ChronoField.DAY_OF_MONTH, 2, fill);
      case "DDD" -> number(builder, ChronoField.DAY_OF_YEAR, 3, fill);
      case "D" -> builder.appendValue(WeekFields.SUNDAY_START.dayOfWeek());
      case "Q" -> builder.appendValue(IsoFields.QUARTER_OF_YEAR);
      case "IW" -> builder.appendValue(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 2);
      case "HH24" -> number(builder, ChronoField.HOUR_OF_DAY, 2, fill);
      case "HH", "HH12" -> number(builder, ChronoField.CLOCK_HOUR_OF_AMPM, 2, fill);
      case "MI" -> number(builder, ChronoField.MINUTE_OF_HOUR, 2, fill);
      case "SS" -> number(builder, ChronoField.SECOND_OF_MINUTE, 2, fill);
      case "MS" -> builder.appendFraction(ChronoField.NANO_OF_SECOND, reads ? 1 : 3, 3, false);
      case "US" -> builder.appendFraction(ChronoField.NANO_OF_SECOND, reads ? 1 : 6, 6, false);
      case "AM", "PM", "am", "pm" -> names(builder, ChronoField.AMPM_OF_DAY, pattern, true, 0);
      case "MONTH", "Month", "month" ->
          names(builder, ChronoField.MONTH_OF_YEAR, pattern, false, fill ? 9 : 0);
      case "MON", "Mon", "mon" -> names(builder, ChronoField.MONTH_OF_YEAR, pattern, true, 0);
      case "DAY", "Day", "day" ->
          names(builder, ChronoField.DAY_OF_WEEK, pattern, false, fill ? 9 : 0);
      default -> names(builder, ChronoField.DAY_OF_WEEK, pattern, true, 0);
    }
  }

  private static void number(
      DateTimeFormatterBuilder builder, ChronoField field, int width, boolean fill) {
    if (fill) {
      builder.appendValue(field, width);
    } else {
      builder.appendValue(field, 1, width, SignStyle.NOT_NEGATIVE);
    }
  }

  private static void names(
      DateTimeFormatterBuilder builder,
      ChronoField field,
      String pattern,
      boolean shorter,
      int width) {
    boolean lower = Character.isLowerCase(pattern.charAt(0));
    boolean upper = !lower && Character.isUpperCase(pattern.charAt(1));
    java.util.Map<Long, String> names = new java.util.TreeMap<>();
    DateTimeFormatter english =
        new DateTimeFormatterBuilder()
            .appendText(field, shorter ? TextStyle.SHORT : TextStyle.FULL)
            .toFormatter(Locale.ENGLISH);
    for (long i = field.range().getMinimum(); i <= field.range().getMaximum(); i++) {
      long value = i;
      String name = english.format(new FieldValue(field, value));
      String cased =
          lower ? name.toLowerCase(Locale.ROOT) : upper ? name.toUpperCase(Locale.ROOT) : name;
      names.put(value, cased + " ".repeat(Math.max(0, width - cased.length())));
    }
    builder.appendText(field, names);
  }

  private record FieldValue(ChronoField field, long value) implements TemporalAccessor {
    @Override
    public boolean isSupported(java.time.temporal.TemporalField wanted) {
      return wanted == field;
    }

    @Override
    public long getLong(java.time.temporal.TemporalField wanted) {
      return value;
    }
  }

  /** Creates TO_CHAR of a date or time, or of a number with a pattern of 9, 0, comma and point. */
  public static Expression toText(ColumnType type, List<Expression> operands) {
    boolean isInstant = operands.get(0).type().kind() == Kind.TIMESTAMP_LTZ;
    Expression value = isInstant ? DatetimeFunctions.local(operands.get(0)) : operands.get(0);
    Expression format = TextFunctions.text(operands.get(1));
    Kind kind = value.type().kind();
    if (kind.isNumeric()) {
      Expression exact =
          kind.isDecimal()
              ? value
              : Casts.cast(ColumnType.decimal(38, kind.isFloating() ? 15 : 0), value);
      return StrictFunctions.object(
          "TO_CHAR",
          type,
          (_, values) -> number((BigDecimal) values[0], (String) values[1]),
          List.of(Casts.toBig(exact), format));
    } else if (!kind.isDatetime()) {
      throw new NelumboException(
          ErrorCode.TYPE_MISMATCH,
          "TO_CHAR takes a date, a time or a number, not " + value.type().sqlName());
    }
    Compiled compiled = new Compiled();
    return StrictFunctions.object(
        "TO_CHAR",
        type,
        (_, values) -> {
          String pattern = (String) values[1];
          try {
            return compiled.get(pattern, false).format(temporal(kind, (Long) values[0]));
          } catch (DateTimeException e) {
            throw new NelumboException(
                ErrorCode.BAD_PARAMETER,
                kind + " has no value for a field of the pattern '" + pattern + "'",
                e);
          }
        },
        List.of(value, format));
  }

  private static TemporalAccessor temporal(Kind kind, long raw) {
    return switch (kind) {
      case DATE -> LocalDate.ofEpochDay(raw).atStartOfDay();
      case TIME -> LocalTime.ofNanoOfDay(raw * 1000);
      default ->
          LocalDateTime.ofEpochSecond(
              Math.floorDiv(raw, MICROS), (int) Math.floorMod(raw, MICROS) * 1000, ZoneOffset.UTC);
    };
  }

  /**
   * Formats a number: 9 and 0 become digits, those before the point padded with blanks; {@code #}
   * if the number does not fit.
   */
  private static String number(BigDecimal value, String pattern) {
    boolean fill = !pattern.startsWith("FM");
    String plain = fill ? pattern : pattern.substring(2);
    if (!plain.matches("[90,]*([.][90]*)?")) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER, "patterns of numbers have 9, 0, comma and point: " + pattern);
    }
    int point = plain.indexOf('.');
    String whole = point < 0 ? plain : plain.substring(0, point);
    int scale = point < 0 ? 0 : plain.length() - point - 1;
    BigDecimal rounded = value.setScale(scale, RoundingMode.HALF_UP);
    String text = rounded.abs().toPlainString();
    int dot = text.indexOf('.');
    String digits = dot < 0 ? text : text.substring(0, dot);
    if (digits.equals("0")) {
      digits = "";
    }
    int zero = whole.replace(",", "").indexOf('0');
    int positions = whole.replace(",", "").length();
    int least = zero < 0 ? (scale == 0 && digits.isEmpty() ? 1 : 0) : positions - zero;
    digits = "0".repeat(Math.max(0, least - digits.length())) + digits;
    if (digits.length() > positions) {
      return "#".repeat(plain.length() + (fill ? 1 : 0));
    }
    StringBuilder out = new StringBuilder();
    int next = digits.length() - 1;
    for (int i = whole.length() - 1; i >= 0 && next >= 0; i--) {
      out.append(whole.charAt(i) == ',' ? ',' : digits.charAt(next--));
    }
    String result =
        (rounded.signum() < 0 ? "-" : fill ? " " : "")
            + out.reverse()
            + (dot < 0 ? "" : text.substring(dot));
    int width = plain.length() + 1;
    return fill ? " ".repeat(Math.max(0, width - result.length())) + result : result;
  }

  /** Creates TO_DATE. */
  public static Expression toDate(ColumnType type, List<Expression> operands) {
    Compiled compiled = new Compiled();
    return StrictFunctions.number(
        "TO_DATE",
        type,
        (_, values) -> parse(compiled, values).query(TemporalQueries.localDate()).toEpochDay(),
        operands.stream().map(each -> TextFunctions.text(each)).toList());
  }

  /** Creates TO_TIMESTAMP. */
  public static Expression toTimestamp(ColumnType type, List<Expression> operands) {
    Compiled compiled = new Compiled();
    return StrictFunctions.number(
        "TO_TIMESTAMP",
        type,
        (_, values) -> {
          TemporalAccessor parsed = parse(compiled, values);
          LocalTime time = parsed.query(TemporalQueries.localTime());
          LocalDateTime moment =
              parsed
                  .query(TemporalQueries.localDate())
                  .atTime(time == null ? LocalTime.MIDNIGHT : time);
          return ChronoUnit.MICROS.between(EPOCH, moment);
        },
        operands.stream().map(each -> TextFunctions.text(each)).toList());
  }

  private static TemporalAccessor parse(Compiled compiled, Object[] values) {
    String text = ((String) values[0]).strip();
    String format = (String) values[1];
    try {
      TemporalAccessor parsed = compiled.get(format, true).parse(text);
      if (parsed.query(TemporalQueries.localDate()) != null) {
        return parsed;
      }
    } catch (DateTimeException e) {
      throw notRead(text, format, e);
    }
    throw notRead(text, format, null);
  }

  private static NelumboException notRead(String text, String format, DateTimeException cause) {
    return new NelumboException(
        ErrorCode.BAD_DATETIME, "'" + text + "' is not a date written as '" + format + "'", cause);
  }
}
