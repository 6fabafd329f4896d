package org.nelumbo.executor.expr;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.CivilCalendar;
import org.nelumbo.types.Kind;
import org.nelumbo.types.TimeUnit;

/** Extracts fields of dates, times and intervals, and rounds to them. */
final class DatetimeFields {
  private static final int THURSDAY = 4;

  /** Lengths in intervals, as in PostgreSQL: a year has 365.25 days, a remaining month 30 days. */
  private static final long SECONDS_PER_YEAR = 31_557_600;

  private static final long SECONDS_PER_MONTH = 30 * 86_400;

  /** Larger than any field of seconds, so that the value is rejected as too large. */
  private static final long SECONDS_MAX = 1_000_000_000_000L;

  private DatetimeFields() {}

  static long extract(TimeUnit unit, Kind kind, long raw) {
    return switch (kind) {
      case INTERVAL_MONTHS -> ofMonths(unit, raw);
      case DATE -> ofDate(unit, raw, 0);
      case TIME, INTERVAL_MICROS -> ofMicros(unit, raw, kind);
      default ->
          ofDate(
              unit,
              Math.floorDiv(raw, CivilCalendar.MICROS_PER_DAY),
              Math.floorMod(raw, CivilCalendar.MICROS_PER_DAY));
    };
  }

  /** Returns a field that is counted in seconds, including the fraction, in microseconds. */
  static long extractMicros(TimeUnit unit, Kind kind, long raw) {
    return switch (unit) {
      case SECOND, MILLISECOND -> {
        extract(unit, kind, raw); // fails for kinds without a time
        yield kind == Kind.INTERVAL_MICROS
            ? raw % CivilCalendar.MICROS_PER_MINUTE
            : Math.floorMod(raw, CivilCalendar.MICROS_PER_MINUTE);
      }
      default -> {
        long seconds = extract(unit, kind, raw);
        yield kind == Kind.INTERVAL_MONTHS
            ? Math.clamp(seconds, -SECONDS_MAX, SECONDS_MAX) * CivilCalendar.MICROS_PER_SECOND
            : raw;
      }
    };
  }

  private static long ofMonths(TimeUnit unit, long months) {
    return switch (unit) {
      case MONTH -> months % 12;
      case QUARTER -> months % 12 / 3 + 1;
      case EPOCH -> months / 12 * SECONDS_PER_YEAR + months % 12 * SECONDS_PER_MONTH;
      default -> {
        if (unit.months() == 0) {
          throw none(unit, Kind.INTERVAL_MONTHS);
        }
        yield months / unit.months();
      }
    };
  }

  private static NelumboException none(TimeUnit unit, Kind kind) {
    return new NelumboException(ErrorCode.UNSUPPORTED, "no field " + unit + " in " + kind);
  }

  private static long ofMicros(TimeUnit unit, long micros, Kind kind) {
    return switch (unit) {
      case MICROSECOND -> micros % CivilCalendar.MICROS_PER_MINUTE;
      case MILLISECOND -> micros % CivilCalendar.MICROS_PER_MINUTE / 1000;
      case SECOND -> micros / CivilCalendar.MICROS_PER_SECOND % 60;
      case MINUTE -> micros / CivilCalendar.MICROS_PER_MINUTE % 60;
      case HOUR -> micros / CivilCalendar.MICROS_PER_HOUR % 24;
      case EPOCH -> micros / CivilCalendar.MICROS_PER_SECOND;
      case DAY -> {
        if (kind == Kind.TIME) {
          throw none(unit, kind);
        }
        yield micros / CivilCalendar.MICROS_PER_DAY;
      }
      default -> throw none(unit, kind);
    };
  }

  private static long ofDate(TimeUnit unit, long day, long micros) {
    long packed = CivilCalendar.ofDay(day);
    int year = CivilCalendar.year(packed);
    return switch (unit) {
      case YEAR -> year;
      case QUARTER -> (CivilCalendar.month(packed) + 2) / 3;
      case MONTH -> CivilCalendar.month(packed);
      case DAY -> CivilCalendar.day(packed);
      case DOW -> Math.floorMod(day + THURSDAY, 7);
      case ISODOW -> isoDayOfWeek(day);
      case DOY -> day - CivilCalendar.toDay(year, 1, 1) + 1;
      case WEEK -> (thursdayOf(day) - CivilCalendar.toDay(isoYear(day), 1, 1)) / 7 + 1;
      case ISOYEAR -> isoYear(day);
      case DECADE -> Math.floorDiv(year, 10);
      case CENTURY -> year > 0 ? (year + 99) / 100 : year / 100 - 1;
      case MILLENNIUM -> year > 0 ? (year + 999) / 1000 : year / 1000 - 1;
      case EPOCH -> day * 86_400 + micros / CivilCalendar.MICROS_PER_SECOND;
      default -> ofMicros(unit, micros, Kind.TIME);
    };
  }

  private static int isoDayOfWeek(long day) {
    return Math.floorMod(day + 3, 7) + 1;
  }

  private static long thursdayOf(long day) {
    return day - isoDayOfWeek(day) + THURSDAY;
  }

  private static int isoYear(long day) {
    return CivilCalendar.year(CivilCalendar.ofDay(thursdayOf(day)));
  }

  /**
   * Returns the start of the unit that contains the value, or (ceil) the start of the next unit
   * unless the value is a start. A WEEK begins on Sunday; ISODOW means the week that begins on
   * Monday.
   */
  static long floor(TimeUnit unit, Kind kind, long raw, boolean ceil) {
    if (kind == Kind.DATE) {
      return floorDay(unit, raw, ceil);
    } else if (unit.micros() > 0 && unit != TimeUnit.WEEK) {
      long start = Math.floorDiv(raw, unit.micros()) * unit.micros();
      return ceil && start != raw ? start + unit.micros() : start;
    } else if (kind == Kind.TIME) {
      throw none(unit, kind);
    }
    long day = Math.floorDiv(raw, CivilCalendar.MICROS_PER_DAY);
    boolean past = ceil && day * CivilCalendar.MICROS_PER_DAY != raw;
    return floorDay(unit, past ? day + 1 : day, ceil) * CivilCalendar.MICROS_PER_DAY;
  }

  private static long floorDay(TimeUnit unit, long day, boolean ceil) {
    if (unit == TimeUnit.WEEK) {
      long start = day - Math.floorMod(day + THURSDAY, 7);
      return ceil && start != day ? start + 7 : start;
    } else if (unit == TimeUnit.ISODOW) {
      long start = day - isoDayOfWeek(day) + 1;
      return ceil && start != day ? start + 7 : start;
    } else if (unit == TimeUnit.ISOYEAR || unit.months() == 0) {
      return day;
    }
    long packed = CivilCalendar.ofDay(day);
    long months = CivilCalendar.year(packed) * 12L + CivilCalendar.month(packed) - 1;
    long firstYear = unit.months() > 120 ? 12 : 0;
    long floor = Math.floorDiv(months - firstYear, unit.months()) * unit.months() + firstYear;
    long start = CivilCalendar.toDay(Math.floorDiv(floor, 12), Math.floorMod(floor, 12) + 1, 1);
    return ceil && start != day ? CivilCalendar.plusMonths(start, unit.months()) : start;
  }
}
