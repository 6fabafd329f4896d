package org.nelumbo.types;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The text form of intervals. Output is in PostgreSQL's format: {@code 1 year 2 mons}, {@code -3
 * days -04:05:06.7}. Input may be in the format of PostgreSQL ({@code 2 hours 30 min ago}), of the
 * SQL standard ({@code 1-2}, {@code 3 04:05:06}) or of ISO 8601 ({@code P1Y2M}, {@code P3DT4H5M}).
 * Digits beyond microseconds are dropped.
 */
public final class IntervalText {
  private static final Pattern PART =
      Pattern.compile(
          "([+-]?)(?:(\\d{1,12}):(\\d{1,2})(?::(\\d{1,2}(?:\\.\\d{1,9})?))?"
              + "|(\\d{1,12})-(\\d{1,2})"
              + "|(\\d{1,18}(?:\\.\\d{1,9})?)\\s*([a-z]*))\\s*");

  private static final Pattern ISO_PART =
      Pattern.compile("([+-]?\\d{1,18}(?:\\.\\d{1,9})?)([YMWDHS])");

  private static final Map<String, TimeUnit> UNITS = new HashMap<>();

  static {
    add(TimeUnit.MILLENNIUM, "millennium", "millennia", "mil", "mils");
    add(TimeUnit.CENTURY, "century", "centuries", "cent", "c");
    add(TimeUnit.DECADE, "decade", "decades", "dec", "decs");
    add(TimeUnit.YEAR, "year", "years", "yr", "yrs", "y");
    add(TimeUnit.MONTH, "month", "months", "mon", "mons");
    add(TimeUnit.WEEK, "week", "weeks", "w");
    add(TimeUnit.DAY, "day", "days", "d");
    add(TimeUnit.HOUR, "hour", "hours", "hr", "hrs", "h");
    add(TimeUnit.MINUTE, "minute", "minutes", "min", "mins", "m");
    add(TimeUnit.SECOND, "second", "seconds", "sec", "secs", "s");
    add(TimeUnit.MILLISECOND, "millisecond", "milliseconds", "msec", "msecs", "ms");
    add(TimeUnit.MICROSECOND, "microsecond", "microseconds", "usec", "usecs", "us");
  }

  private final Kind kind;
  private final String text;
  private BigDecimal months = BigDecimal.ZERO;
  private BigDecimal micros = BigDecimal.ZERO;

  private IntervalText(Kind kind, String text) {
    this.kind = kind;
    this.text = text;
  }

  private static void add(TimeUnit unit, String... names) {
    for (String name : names) {
      UNITS.put(name, unit);
    }
  }

  /**
   * Parses an interval and returns its raw value. A number without a unit counts months or seconds,
   * depending on the kind.
   *
   * @param kind INTERVAL_MONTHS or INTERVAL_MICROS
   * @throws NelumboException BAD_DATETIME if the text is not an interval of the kind;
   *     DATETIME_OVERFLOW if it is out of range
   */
  public static long parse(Kind kind, String text) {
    return parse(kind, text, kind == Kind.INTERVAL_MONTHS ? TimeUnit.MONTH : TimeUnit.SECOND);
  }

  /**
   * Parses an interval and returns its raw value.
   *
   * @param kind INTERVAL_MONTHS or INTERVAL_MICROS
   * @param unit unit of a number that has none
   * @throws NelumboException BAD_DATETIME if the text is not an interval of the kind;
   *     DATETIME_OVERFLOW if it is out of range
   */
  public static long parse(Kind kind, String text, TimeUnit unit) {
    IntervalText reader = new IntervalText(kind, text);
    String stripped = text.strip();
    String upper = stripped.toUpperCase(Locale.ROOT);
    if (upper.startsWith("P") || upper.startsWith("-P")) {
      reader.readIso(upper);
    } else {
      reader.readParts(stripped.toLowerCase(Locale.ROOT), unit);
    }
    return reader.value();
  }

  private void readIso(String upper) {
    boolean negative = upper.startsWith("-");
    int at = negative ? 2 : 1;
    boolean time = false;
    boolean empty = true;
    Matcher part = ISO_PART.matcher(upper);
    while (at < upper.length()) {
      if (!time && upper.charAt(at) == 'T') {
        time = true;
        empty = true;
        at++;
        continue;
      }
      if (!part.region(at, upper.length()).lookingAt()) {
        throw bad();
      }
      add(new BigDecimal(part.group(1)), isoUnit(part.group(2).charAt(0), time), negative);
      empty = false;
      at = part.end();
    }
    if (empty) {
      throw bad();
    }
  }

  private TimeUnit isoUnit(char letter, boolean time) {
    TimeUnit unit =
        time
            ? switch (letter) {
              case 'H' -> TimeUnit.HOUR;
              case 'M' -> TimeUnit.MINUTE;
              case 'S' -> TimeUnit.SECOND;
              default -> null;
            }
            : switch (letter) {
              case 'Y' -> TimeUnit.YEAR;
              case 'M' -> TimeUnit.MONTH;
              case 'W' -> TimeUnit.WEEK;
              case 'D' -> TimeUnit.DAY;
              default -> null;
            };
    if (unit == null) {
      throw bad();
    }
    return unit;
  }

  private void readParts(String lower, TimeUnit alone) {
    boolean ago = lower.endsWith(" ago");
    String parts = (ago ? lower.substring(0, lower.length() - 4) : lower).strip();
    if (parts.startsWith("@")) {
      parts = parts.substring(1).strip();
    }
    if (parts.isEmpty()) {
      throw bad();
    }
    Matcher part = PART.matcher(parts);
    boolean daysNegative = false;
    int at = 0;
    while (at < parts.length()) {
      if (!part.region(at, parts.length()).lookingAt()) {
        throw bad();
      }
      at = part.end();
      boolean signed = !part.group(1).isEmpty();
      boolean negative = part.group(1).equals("-") != ago;
      if (part.group(2) != null) {
        addTime(part, signed ? negative : daysNegative != ago);
      } else if (part.group(5) != null) {
        add(new BigDecimal(part.group(5)), TimeUnit.YEAR, negative);
        add(field(part.group(6), 11), TimeUnit.MONTH, negative);
      } else if (!part.group(8).isEmpty()) {
        add(new BigDecimal(part.group(7)), unit(part.group(8)), negative);
      } else if (at < parts.length()) {
        add(new BigDecimal(part.group(7)), TimeUnit.DAY, negative); // 3 04:05:06
        daysNegative = negative != ago;
        if (!part.region(at, parts.length()).lookingAt() || part.group(2) == null) {
          throw bad();
        }
      } else {
        add(new BigDecimal(part.group(7)), alone, negative);
      }
    }
  }

  private void addTime(Matcher part, boolean negative) {
    add(new BigDecimal(part.group(2)), TimeUnit.HOUR, negative);
    add(field(part.group(3), 59), TimeUnit.MINUTE, negative);
    if (part.group(4) != null) {
      add(field(part.group(4), 59), TimeUnit.SECOND, negative);
    }
  }

  /** Parses a field that follows a larger one and therefore must not exceed its maximum. */
  private BigDecimal field(String digits, int most) {
    BigDecimal value = new BigDecimal(digits);
    if (value.toBigInteger().intValueExact() > most) {
      throw bad();
    }
    return value;
  }

  private TimeUnit unit(String name) {
    TimeUnit unit = UNITS.get(name);
    if (unit == null) {
      throw bad();
    }
    return unit;
  }

  private void add(BigDecimal count, TimeUnit unit, boolean negative) {
    BigDecimal signed = negative ? count.negate() : count;
    if (unit.months() > 0) {
      months = months.add(signed.multiply(BigDecimal.valueOf(unit.months())));
    } else {
      micros = micros.add(signed.multiply(BigDecimal.valueOf(unit.micros())));
    }
  }

  private long value() {
    boolean inMonths = kind == Kind.INTERVAL_MONTHS;
    if ((inMonths ? micros : months).signum() != 0) {
      throw new NelumboException(
          ErrorCode.BAD_DATETIME,
          "'"
              + text
              + "' has "
              + (inMonths ? "days or a time" : "years or months")
              + ", and is not an "
              + kind.sqlName());
    }
    BigDecimal value = inMonths ? months : micros;
    if (inMonths && value.stripTrailingZeros().scale() > 0) {
      throw bad();
    }
    BigDecimal whole = value.setScale(0, RoundingMode.DOWN);
    if (whole.toBigInteger().bitLength() > 63) {
      throw new NelumboException(
          ErrorCode.DATETIME_OVERFLOW, "'" + text + "' is out of range for " + kind.sqlName());
    }
    return whole.longValueExact();
  }

  private NelumboException bad() {
    String form = kind == Kind.INTERVAL_MONTHS ? "1 year 2 mons" : "3 days 04:05:06.7";
    return new NelumboException(
        ErrorCode.BAD_DATETIME,
        "not an " + kind.sqlName() + ": '" + text + "'; write it as " + form);
  }

  /** Formats a raw value of INTERVAL_MONTHS or INTERVAL_MICROS. */
  public static String format(Kind kind, long raw) {
    StringBuilder out = new StringBuilder(24);
    if (kind == Kind.INTERVAL_MONTHS) {
      append(out, raw / 12, "year");
      append(out, raw % 12, "mon");
      return out.isEmpty() ? "0 mons" : out.toString();
    }
    append(out, raw / CivilCalendar.MICROS_PER_DAY, "day");
    long time = raw % CivilCalendar.MICROS_PER_DAY;
    if (time != 0 || out.isEmpty()) {
      out.append(out.isEmpty() ? "" : " ").append(time < 0 ? "-" : "");
      out.append(DatetimeText.format(Kind.TIME, Math.abs(time)));
    }
    return out.toString();
  }

  private static void append(StringBuilder out, long count, String unit) {
    if (count != 0) {
      out.append(out.isEmpty() ? "" : " ").append(count).append(' ').append(unit);
      out.append(count == 1 ? "" : "s");
    }
  }
}
