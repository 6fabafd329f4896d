package org.nelumbo.types;

/**
 * The proleptic Gregorian calendar on day numbers, without garbage. A date is packed into a {@code
 * long} as {@code year * 512 + month * 32 + day}.
 */
public final class CivilCalendar {
  public static final long MICROS_PER_SECOND = 1_000_000L;
  public static final long MICROS_PER_MINUTE = 60 * MICROS_PER_SECOND;
  public static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;
  public static final long MICROS_PER_DAY = 24 * MICROS_PER_HOUR;

  private static final int DAYS_PER_ERA = 146_097;
  private static final int DAYS_TO_EPOCH = 719_468;

  private CivilCalendar() {}

  /**
   * Returns the packed date of a day since 1970-01-01. The computation uses years that start in
   * March.
   */
  public static long ofDay(long day) {
    long shifted = day + DAYS_TO_EPOCH;
    long era = Math.floorDiv(shifted, DAYS_PER_ERA);
    long dayOfEra = shifted - era * DAYS_PER_ERA;
    long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long fromMarch = (5 * dayOfYear + 2) / 153;
    long day1 = dayOfYear - (153 * fromMarch + 2) / 5 + 1;
    long month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    return year * 512 + month * 32 + day1;
  }

  /** Returns the year of a packed date. */
  public static int year(long packed) {
    return (int) (packed >> 9);
  }

  /** Returns the month of a packed date, 1 to 12. */
  public static int month(long packed) {
    return (int) (packed >> 5 & 15);
  }

  /** Returns the day of the month of a packed date, 1 to 31. */
  public static int day(long packed) {
    return (int) (packed & 31);
  }

  /** Returns the day since 1970-01-01 of a date. */
  public static long toDay(long year, int month, int day) {
    long shiftedYear = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(shiftedYear, 400);
    long yearOfEra = shiftedYear - era * 400;
    long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
  }

  static int daysInMonth(long year, int month) {
    return switch (month) {
      case 2 -> isLeap(year) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  private static boolean isLeap(long year) {
    return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  /**
   * Adds months to a day since 1970-01-01. If the resulting month is too short for the day of the
   * month, the result is the last day of that month.
   *
   * @throws ArithmeticException if the number of months overflows a {@code long}
   */
  public static long plusMonths(long day, long months) {
    long packed = ofDay(day);
    long total = Math.addExact(year(packed) * 12L + month(packed) - 1, months);
    long year = Math.floorDiv(total, 12);
    int month = (int) (total - year * 12) + 1;
    return toDay(year, month, Math.min(day(packed), daysInMonth(year, month)));
  }
}
