package org.nelumbo.jdbc;

import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Calendar;

/**
 * Converts local dates and times to points in time and back, in the time zone of a calendar or,
 * without one, of the JVM.
 */
final class CalendarConversion {
  private CalendarConversion() {}

  private static ZoneId zone(Calendar calendar) {
    return calendar == null ? ZoneId.systemDefault() : calendar.getTimeZone().toZoneId();
  }

  static Date date(LocalDate date, Calendar calendar) {
    return new Date(date.atStartOfDay(zone(calendar)).toInstant().toEpochMilli());
  }

  static Time time(LocalTime time, Calendar calendar) {
    return new Time(time.atDate(LocalDate.EPOCH).atZone(zone(calendar)).toInstant().toEpochMilli());
  }

  static Timestamp timestamp(LocalDateTime time, Calendar calendar) {
    return Timestamp.from(time.atZone(zone(calendar)).toInstant());
  }

  static LocalDateTime local(java.util.Date moment, Calendar calendar) {
    java.time.Instant instant =
        moment instanceof Timestamp timestamp
            ? timestamp.toInstant()
            : java.time.Instant.ofEpochMilli(moment.getTime());
    return LocalDateTime.ofInstant(instant, zone(calendar));
  }
}
