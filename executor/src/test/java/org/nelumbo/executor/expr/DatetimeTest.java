package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.expr.ExpressionFixture.assertFails;
import static org.nelumbo.executor.expr.ExpressionFixture.assertShows;
import static org.nelumbo.executor.expr.ExpressionFixture.date;
import static org.nelumbo.executor.expr.ExpressionFixture.integer;
import static org.nelumbo.executor.expr.ExpressionFixture.time;
import static org.nelumbo.executor.expr.ExpressionFixture.timestamp;

import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.types.CivilCalendar;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.nelumbo.types.TimeUnit;

class DatetimeTest {
  private static final ColumnType MICROS = ColumnType.of(Kind.INTERVAL_MICROS);
  private static final ColumnType MONTHS = ColumnType.of(Kind.INTERVAL_MONTHS);

  private static Expression days(int count) {
    return DatetimeFunctions.interval(TimeUnit.DAY, integer(count));
  }

  private static Expression months(int count) {
    return DatetimeFunctions.interval(TimeUnit.MONTH, integer(count));
  }

  @Property(seed = "1")
  void shouldAgreeWithTheCalendar(@ForAll @IntRange(min = -1_000_000, max = 2_900_000) int day) {
    LocalDate expected = LocalDate.ofEpochDay(day);
    long packed = CivilCalendar.ofDay(day);
    assertEquals(expected.getYear(), CivilCalendar.year(packed));
    assertEquals(expected.getMonthValue(), CivilCalendar.month(packed));
    assertEquals(expected.getDayOfMonth(), CivilCalendar.day(packed));
    assertEquals(
        day,
        CivilCalendar.toDay(
            expected.getYear(), expected.getMonthValue(), expected.getDayOfMonth()));
  }

  @Property(seed = "1")
  void shouldAddMonthsAsTheCalendarDoes(
      @ForAll @IntRange(min = -500_000, max = 500_000) int day,
      @ForAll @IntRange(min = -5000, max = 5000) int months) {
    assertEquals(
        LocalDate.ofEpochDay(day).plusMonths(months).toEpochDay(),
        CivilCalendar.plusMonths(day, months));
  }

  @Property(seed = "1")
  void shouldExtractFieldsAsTheCalendarDoes(
      @ForAll @IntRange(min = -500_000, max = 500_000) int day) {
    LocalDate expected = LocalDate.ofEpochDay(day);
    assertEquals(expected.getDayOfYear(), DatetimeFields.extract(TimeUnit.DOY, Kind.DATE, day));
    assertEquals(
        expected.getDayOfWeek().getValue(),
        DatetimeFields.extract(TimeUnit.ISODOW, Kind.DATE, day));
    assertEquals(
        expected.getDayOfWeek().getValue() % 7,
        DatetimeFields.extract(TimeUnit.DOW, Kind.DATE, day));
    assertEquals(
        expected.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR),
        DatetimeFields.extract(TimeUnit.WEEK, Kind.DATE, day));
    assertEquals(
        expected.get(IsoFields.WEEK_BASED_YEAR),
        DatetimeFields.extract(TimeUnit.ISOYEAR, Kind.DATE, day));
    assertEquals(
        expected.get(IsoFields.QUARTER_OF_YEAR),
        DatetimeFields.extract(TimeUnit.QUARTER, Kind.DATE, day));
  }

  @Property(seed = "1")
  void shouldCountWholeMonthsLikeJavaTime(
      @ForAll @IntRange(min = -50_000, max = 50_000) int from,
      @ForAll @IntRange(min = -50_000, max = 50_000) int to) {
    Expression between =
        DatetimeFunctions.between(
            ExpressionFixture.INTEGER,
            TimeUnit.MONTH,
            ExpressionFixture.value(ExpressionFixture.DATE, (long) from),
            ExpressionFixture.value(ExpressionFixture.DATE, (long) to));
    long expected = ChronoUnit.MONTHS.between(LocalDate.ofEpochDay(from), LocalDate.ofEpochDay(to));
    assertShows(Long.toString(expected), between);
  }

  @Test
  void shouldAddIntervals() {
    assertShows("2024-03-01", DatetimeFunctions.plus(date("2024-02-29"), days(1), false));
    assertShows("2024-02-28", DatetimeFunctions.plus(date("2024-02-29"), days(1), true));
    assertShows("2023-02-28", DatetimeFunctions.plus(date("2024-02-29"), months(12), true));
    assertShows(
        "2024-03-31 10:00:00",
        DatetimeFunctions.plus(timestamp("2024-01-31 10:00:00"), months(2), false));
    assertShows(
        "01:00:00",
        DatetimeFunctions.plus(
            time("23:00:00"), DatetimeFunctions.interval(TimeUnit.HOUR, integer(2)), false));
    assertShows(
        "22:00:00",
        DatetimeFunctions.plus(
            time("01:00:00"), DatetimeFunctions.interval(TimeUnit.HOUR, integer(27)), true));
    assertShows("NULL", DatetimeFunctions.plus(date(null), days(1), false));
    assertShows(
        "NULL",
        DatetimeFunctions.plus(
            date("2024-01-01"), DatetimeFunctions.interval(TimeUnit.DAY, integer(null)), false));
    assertFails(
        ErrorCode.DATETIME_OVERFLOW,
        () ->
            DatetimeFunctions.plus(
                ExpressionFixture.value(ExpressionFixture.DATE, (long) Integer.MAX_VALUE),
                days(1),
                false));
  }

  @Test
  void shouldSubtract() {
    assertShows(
        "3600000000",
        DatetimeFunctions.minus(
            MICROS, timestamp("2024-01-01 01:00:00"), timestamp("2024-01-01 00:00:00")));
    assertShows(
        "86400000000", DatetimeFunctions.minus(MICROS, date("2024-03-01"), date("2024-02-29")));
    assertShows(
        "1",
        DatetimeFunctions.minus(ExpressionFixture.INTEGER, date("2024-03-01"), date("2024-02-29")));
    assertShows("-1", DatetimeFunctions.minus(MONTHS, date("2024-01-30"), date("2024-03-01")));
    assertShows(
        "43200000000",
        DatetimeFunctions.minus(MICROS, timestamp("2024-03-01 12:00:00"), date("2024-03-01")));
    assertShows(
        "26",
        DatetimeFunctions.between(
            ExpressionFixture.INTEGER,
            TimeUnit.HOUR,
            date("2024-03-01"),
            timestamp("2024-03-02 02:59:59")));
    assertShows(
        "-1",
        DatetimeFunctions.between(
            ExpressionFixture.INTEGER, TimeUnit.YEAR, date("2024-03-01"), date("2022-12-01")));
  }

  @Test
  void shouldExtract() {
    Expression moment = timestamp("1969-12-31 23:58:57.654321");
    assertShows("1969", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.YEAR, moment));
    assertShows("12", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.MONTH, moment));
    assertShows("31", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.DAY, moment));
    assertShows("23", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.HOUR, moment));
    assertShows("58", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.MINUTE, moment));
    assertShows("57", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.SECOND, moment));
    assertShows(
        "57654", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.MILLISECOND, moment));
    assertShows("-63", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.EPOCH, moment));
    assertShows(
        "20", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.CENTURY, moment));
    assertShows(
        "7", DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.HOUR, time("07:08:09")));
    assertFails(
        ErrorCode.UNSUPPORTED,
        () -> DatetimeFunctions.extract(ExpressionFixture.BIGINT, TimeUnit.YEAR, time("07:08:09")));
  }

  @Test
  void shouldRoundToUnits() {
    Expression moment = timestamp("2024-05-15 10:11:12.5");
    assertShows("2024-05-15 10:00:00", DatetimeFunctions.floor(TimeUnit.HOUR, moment, false));
    assertShows("2024-05-15 11:00:00", DatetimeFunctions.floor(TimeUnit.HOUR, moment, true));
    assertShows("2024-05-01 00:00:00", DatetimeFunctions.floor(TimeUnit.MONTH, moment, false));
    assertShows("2024-06-01 00:00:00", DatetimeFunctions.floor(TimeUnit.MONTH, moment, true));
    assertShows("2024-04-01 00:00:00", DatetimeFunctions.floor(TimeUnit.QUARTER, moment, false));
    assertShows("2024-01-01", DatetimeFunctions.floor(TimeUnit.YEAR, date("2024-05-15"), false));
    assertShows("2024-01-01", DatetimeFunctions.floor(TimeUnit.YEAR, date("2024-01-01"), true));
    assertShows("2020-01-01", DatetimeFunctions.floor(TimeUnit.DECADE, date("2024-05-15"), false));
    assertShows("2001-01-01", DatetimeFunctions.floor(TimeUnit.CENTURY, date("2024-05-15"), false));
    assertShows("2024-05-12", DatetimeFunctions.floor(TimeUnit.WEEK, date("2024-05-15"), false));
    assertShows("2024-05-19", DatetimeFunctions.floor(TimeUnit.WEEK, date("2024-05-15"), true));
  }

  @Test
  void shouldShowStatementTimeInSessionZone() {
    Frame frame = ExpressionFixture.frame();
    assertEquals("2024-02-29", ExpressionFixture.show(DatetimeFunctions.currentDate(), frame));
    assertEquals(
        "12:00:00",
        ExpressionFixture.show(DatetimeFunctions.currentTime(ExpressionFixture.TIME), frame));
    frame.session().setZone(ZoneId.of("Asia/Tokyo"));
    assertEquals(
        "2024-02-29 21:00:00",
        ExpressionFixture.show(
            DatetimeFunctions.currentTimestamp(ExpressionFixture.TIMESTAMP), frame));
    assertEquals(
        "2024-02-29 12:00:00",
        ExpressionFixture.show(DatetimeFunctions.currentTimestamp(ExpressionFixture.LTZ), frame));
  }

  @Test
  void shouldComputeWithIntervals() {
    Expression hour = DatetimeFunctions.interval(TimeUnit.HOUR, integer(1));
    assertShows(
        "7200000000",
        DatetimeFunctions.intervalArithmetic(ArithmeticOp.TIMES, MICROS, hour, integer(2)));
    assertShows(
        "5400000000",
        DatetimeFunctions.intervalArithmetic(
            ArithmeticOp.TIMES, MICROS, hour, ExpressionFixture.dec(3, 1, "1.5")));
    assertShows("0", DatetimeFunctions.intervalArithmetic(ArithmeticOp.MINUS, MICROS, hour, hour));
  }
}
