package org.nelumbo.types;

/** Rounds datetimes to the fractional digits of seconds that their type keeps. */
public final class FractionalSeconds {
  private static final int MICRO_DIGITS = 6;

  private FractionalSeconds() {}

  /** Returns the value of the last digit that the type keeps, in microseconds; 1 for DATE. */
  public static long unit(ColumnType type) {
    return type.kind() == Kind.DATE
        ? 1
        : Decimals.power(MICRO_DIGITS - Math.min(MICRO_DIGITS, type.precision()));
  }

  /** Rounds a raw value to the precision of the type; a TIME stays below midnight. */
  public static long round(ColumnType type, long raw) {
    return round(type, raw, unit(type));
  }

  /** Rounds a raw value to a multiple of {@link #unit}; a TIME stays below midnight. */
  public static long round(ColumnType type, long raw, long unit) {
    long rounded = unit == 1 ? raw : truncate(raw + unit / 2, unit);
    return type.kind() == Kind.TIME && rounded >= CivilCalendar.MICROS_PER_DAY
        ? CivilCalendar.MICROS_PER_DAY - unit
        : rounded;
  }

  /** Rounds a raw value down to a multiple of {@link #unit}. */
  public static long truncate(long raw, long unit) {
    return unit == 1 ? raw : raw - Math.floorMod(raw, unit);
  }
}
