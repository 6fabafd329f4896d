package org.nelumbo.types;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The text form of dates and times: {@code 2024-02-29}, {@code 23:59:59.5}, {@code 2024-02-29
 * 23:59:59.5}. The separator {@code T} and dates in the basic format of ISO 8601 ({@code 20240229})
 * are accepted on input. Up to nine fractional digits are read; digits beyond microseconds are
 * dropped. Trailing zeros of a fraction are not written. An instant may be followed by a zone, such
 * as {@code +02}, {@code -03:30}, {@code Z} or {@code Europe/Berlin}, and is written with its
 * offset.
 *
 * <p>Invalid texts fail with BAD_DATETIME.
 */
public final class DatetimeText {
  private static final int MAX_YEAR = 9999;

  private final String text;
  private int at;

  private DatetimeText(String text) {
    this.text = text;
  }

  /** Parses a text of a DATE, TIME or TIMESTAMP kind and returns the raw value. */
  public static long parse(Kind kind, String text) {
    DatetimeText reader = new DatetimeText(text.strip());
    long value =
        switch (kind) {
          case DATE -> reader.date(kind);
          case TIME -> reader.time(kind);
          default -> reader.timestamp(kind);
        };
    if (reader.at != reader.text.length()) {
      throw reader.bad(kind);
    }
    return value;
  }

  /**
   * Parses an instant and returns the microseconds since the epoch.
   *
   * @param zone time zone of a text that does not contain one
   */
  public static long parseInstant(String text, ZoneId zone) {
    DatetimeText reader = new DatetimeText(text.strip());
    long local = reader.timestamp(Kind.TIMESTAMP_LTZ);
    String rest = reader.text.substring(reader.at).strip();
    return toInstant(rest.isEmpty() ? zone : reader.zone(rest), local);
  }

  /**
   * Parses an instant whose text contains a time zone and returns the microseconds since the epoch.
   *
   * @throws NelumboException BAD_DATETIME if the text is not an instant or has no time zone
   */
  public static long parseInstant(String text) {
    DatetimeText reader = new DatetimeText(text.strip());
    long local = reader.timestamp(Kind.TIMESTAMP_LTZ);
    return toInstant(reader.zone(reader.text.substring(reader.at).strip()), local);
  }

  private ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw bad(Kind.TIMESTAMP_LTZ);
    }
  }

  /**
   * Parses the name or the offset of a time zone.
   *
   * @throws NelumboException BAD_PARAMETER if there is no such time zone
   */
  public static ZoneId parseZone(String name) {
    try {
      return ZoneId.of(name.strip());
    } catch (DateTimeException e) {
      throw new NelumboException(
          ErrorCode.BAD_PARAMETER,
          "no time zone: '" + name + "'; write a name such as Europe/Berlin, or +01:00",
          e);
    }
  }

  /** Converts microseconds on the local time line of a zone to microseconds since the epoch. */
  public static long toInstant(ZoneId zone, long localMicros) {
    if (zone.equals(ZoneOffset.UTC)) {
      return localMicros;
    }
    long second = Math.floorDiv(localMicros, CivilCalendar.MICROS_PER_SECOND);
    LocalDateTime local = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    long offset = zone.getRules().getOffset(local).getTotalSeconds();
    return localMicros - offset * CivilCalendar.MICROS_PER_SECOND;
  }

  /** Converts microseconds since the epoch to microseconds on the local time line of a zone. */
  public static long toLocal(ZoneId zone, long epochMicros) {
    return zone.equals(ZoneOffset.UTC)
        ? epochMicros
        : epochMicros + offset(zone, epochMicros) * CivilCalendar.MICROS_PER_SECOND;
  }

  /** Returns the offset of a zone from UTC at an instant, in seconds. */
  private static long offset(ZoneId zone, long epochMicros) {
    Instant second =
        Instant.ofEpochSecond(Math.floorDiv(epochMicros, CivilCalendar.MICROS_PER_SECOND));
    return zone.getRules().getOffset(second).getTotalSeconds();
  }

  /** Formats an instant as local time of a zone, followed by the zone's offset. */
  public static String formatInstant(long epochMicros, ZoneId zone) {
    long offset = offset(zone, epochMicros);
    StringBuilder out =
        new StringBuilder(
            format(Kind.TIMESTAMP, epochMicros + offset * CivilCalendar.MICROS_PER_SECOND));
    long seconds = Math.abs(offset);
    appendPadded(out.append(offset < 0 ? '-' : '+'), seconds / 3600, 2);
    if (seconds % 3600 != 0) {
      appendPadded(out.append(':'), seconds / 60 % 60, 2);
    }
    if (seconds % 60 != 0) {
      appendPadded(out.append(':'), seconds % 60, 2);
    }
    return out.toString();
  }

  private NelumboException bad(Kind kind) {
    String form =
        switch (kind) {
          case DATE -> "yyyy-mm-dd";
          case TIME -> "hh:mm:ss[.ffffff]";
          case TIMESTAMP_LTZ -> "yyyy-mm-dd hh:mm:ss[.ffffff][+hh[:mm]]";
          default -> "yyyy-mm-dd hh:mm:ss[.ffffff]";
        };
    return new NelumboException(
        ErrorCode.BAD_DATETIME,
        "not a " + kind.sqlName() + ": '" + text + "'; write it as " + form);
  }

  private long timestamp(Kind kind) {
    long day = date(kind);
    if (at == text.length()) {
      return day * CivilCalendar.MICROS_PER_DAY;
    }
    char separator = text.charAt(at++);
    if (separator != ' ' && separator != 'T') {
      throw bad(kind);
    }
    return day * CivilCalendar.MICROS_PER_DAY + time(kind);
  }

  /** Returns true if the text begins with eight digits: a date in the basic format of ISO 8601. */
  private boolean isBasic() {
    boolean ends =
        text.length() == 8 || text.length() > 8 && (text.charAt(8) == ' ' || text.charAt(8) == 'T');
    for (int i = 0; ends && i < 8; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return ends;
  }

  private long date(Kind kind) {
    boolean basic = isBasic();
    int year = number(kind, 4, MAX_YEAR);
    if (!basic) {
      expect(kind, '-');
    }
    int month = number(kind, 2, 12);
    if (!basic) {
      expect(kind, '-');
    }
    int day = number(kind, 2, 31);
    if (month < 1 || day < 1 || day > CivilCalendar.daysInMonth(year, month)) {
      throw bad(kind);
    }
    return CivilCalendar.toDay(year, month, day);
  }

  private long time(Kind kind) {
    long micros = number(kind, 2, 23) * CivilCalendar.MICROS_PER_HOUR;
    expect(kind, ':');
    micros += number(kind, 2, 59) * CivilCalendar.MICROS_PER_MINUTE;
    if (at == text.length() || text.charAt(at) != ':') {
      return micros;
    }
    at++;
    micros += number(kind, 2, 59) * CivilCalendar.MICROS_PER_SECOND;
    return micros + fraction(kind);
  }

  private long fraction(Kind kind) {
    if (at == text.length() || text.charAt(at) != '.') {
      return 0;
    }
    at++;
    int start = at;
    long micros = 0;
    long unit = CivilCalendar.MICROS_PER_SECOND / 10;
    while (at < text.length() && Character.digit(text.charAt(at), 10) >= 0) {
      micros += Character.digit(text.charAt(at++), 10) * unit;
      unit /= 10;
    }
    if (at == start || at - start > 9) {
      throw bad(kind);
    }
    return micros;
  }

  private int number(Kind kind, int mostDigits, int most) {
    int start = at;
    int value = 0;
    while (at < text.length() && at - start < mostDigits) {
      char c = text.charAt(at);
      if (c < '0' || c > '9') {
        break;
      }
      value = value * 10 + c - '0';
      at++;
    }
    if (at == start || value > most) {
      throw bad(kind);
    }
    return value;
  }

  private void expect(Kind kind, char wanted) {
    if (at == text.length() || text.charAt(at++) != wanted) {
      throw bad(kind);
    }
  }

  /** Formats a raw value of a DATE, TIME or TIMESTAMP kind. */
  public static String format(Kind kind, long raw) {
    StringBuilder out = new StringBuilder(26);
    switch (kind) {
      case DATE -> appendDate(out, raw);
      case TIME -> appendTime(out, raw);
      default -> {
        appendDate(out, Math.floorDiv(raw, CivilCalendar.MICROS_PER_DAY));
        appendTime(out.append(' '), Math.floorMod(raw, CivilCalendar.MICROS_PER_DAY));
      }
    }
    return out.toString();
  }

  private static void appendDate(StringBuilder out, long day) {
    long packed = CivilCalendar.ofDay(day);
    int year = CivilCalendar.year(packed);
    if (year >= 0 && year <= MAX_YEAR) {
      appendPadded(out, year, 4);
    } else {
      out.append(year);
    }
    appendPadded(out.append('-'), CivilCalendar.month(packed), 2);
    appendPadded(out.append('-'), CivilCalendar.day(packed), 2);
  }

  private static void appendTime(StringBuilder out, long micros) {
    appendPadded(out, micros / CivilCalendar.MICROS_PER_HOUR, 2);
    appendPadded(out.append(':'), micros / CivilCalendar.MICROS_PER_MINUTE % 60, 2);
    appendPadded(out.append(':'), micros / CivilCalendar.MICROS_PER_SECOND % 60, 2);
    long fraction = micros % CivilCalendar.MICROS_PER_SECOND;
    if (fraction != 0) {
      appendPadded(out.append('.'), fraction, 6);
      while (out.charAt(out.length() - 1) == '0') {
        out.setLength(out.length() - 1);
      }
    }
  }

  private static void appendPadded(StringBuilder out, long value, int width) {
    String digits = Long.toString(value);
    out.repeat('0', Math.max(0, width - digits.length())).append(digits);
  }
}
