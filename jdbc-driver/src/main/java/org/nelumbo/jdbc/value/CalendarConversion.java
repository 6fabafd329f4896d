package org.nelumbo.jdbc.value;

import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Calendar;

/**
 * Converts local dates and times to points in time and back, in the time zone of a calendar or,
 * without a calendar, of the JVM.
 */
public final class CalendarConversion {
  private CalendarConversion() {}

  private static ZoneId zone(Calendar calendar) throws SQLException {
    try {
      return calendar == null ? ZoneId.systemDefault() : calendar.getTimeZone().toZoneId();
    } catch (Throwable e) {
      throw SqlExceptions.ofCaller("the calendar", e);
    }
  }

  public static Date date(LocalDate date, Calendar calendar) throws SQLException {
    return new Date(date.atStartOfDay(zone(calendar)).toInstant().toEpochMilli());
  }

  public static Time time(LocalTime time, Calendar calendar) throws SQLException {
    return new Time(time.atDate(LocalDate.EPOCH).atZone(zone(calendar)).toInstant().toEpochMilli());
  }

  public static Timestamp timestamp(LocalDateTime time, Calendar calendar) throws SQLException {
    return Timestamp.from(time.atZone(zone(calendar)).toInstant());
  }

  public static LocalDateTime local(java.util.Date moment, Calendar calendar) throws SQLException {
    java.time.Instant instant =
        moment instanceof Timestamp timestamp
            ? timestamp.toInstant()
            : java.time.Instant.ofEpochMilli(moment.getTime());
    return LocalDateTime.ofInstant(instant, zone(calendar));
  }
}
