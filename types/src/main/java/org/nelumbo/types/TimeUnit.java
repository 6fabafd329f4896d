package org.nelumbo.types;

/** The datetime fields of EXTRACT, FLOOR, CEIL and TIMESTAMPDIFF. */
public enum TimeUnit {
  MICROSECOND(1),
  MILLISECOND(1000),
  SECOND(CivilCalendar.MICROS_PER_SECOND),
  MINUTE(CivilCalendar.MICROS_PER_MINUTE),
  HOUR(CivilCalendar.MICROS_PER_HOUR),
  DAY(CivilCalendar.MICROS_PER_DAY),
  WEEK(7 * CivilCalendar.MICROS_PER_DAY),
  MONTH(0),
  QUARTER(0),
  YEAR(0),
  DECADE(0),
  CENTURY(0),
  MILLENNIUM(0),
  EPOCH(0),
  DOW(0),
  ISODOW(0),
  DOY(0),
  ISOYEAR(0);

  private final long micros;

  TimeUnit(long micros) {
    this.micros = micros;
  }

  /** Returns the length in microseconds, or 0 if the unit has no fixed length. */
  public long micros() {
    return micros;
  }

  /** Returns the length in months, or 0 if the unit is not a multiple of a month. */
  public int months() {
    return switch (this) {
      case MONTH -> 1;
      case QUARTER -> 3;
      case YEAR -> 12;
      case DECADE -> 120;
      case CENTURY -> 1200;
      case MILLENNIUM -> 12_000;
      default -> 0;
    };
  }
}
