package org.nelumbo.executor.expr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.nelumbo.executor.expr.ExpressionFixture.assertFails;
import static org.nelumbo.executor.expr.ExpressionFixture.assertShows;
import static org.nelumbo.executor.expr.ExpressionFixture.bigint;
import static org.nelumbo.executor.expr.ExpressionFixture.bool;
import static org.nelumbo.executor.expr.ExpressionFixture.chars;
import static org.nelumbo.executor.expr.ExpressionFixture.date;
import static org.nelumbo.executor.expr.ExpressionFixture.dbl;
import static org.nelumbo.executor.expr.ExpressionFixture.dec;
import static org.nelumbo.executor.expr.ExpressionFixture.integer;
import static org.nelumbo.executor.expr.ExpressionFixture.text;
import static org.nelumbo.executor.expr.ExpressionFixture.time;
import static org.nelumbo.executor.expr.ExpressionFixture.timestamp;

import java.time.ZoneId;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

class CastTest {
  private static ColumnType varchar(int length) {
    return ColumnType.of(Kind.VARCHAR, length);
  }

  private static ColumnType decimal(int precision, int scale) {
    return ColumnType.decimal(precision, scale);
  }

  @Test
  void shouldRoundToIntegersHalfAwayFromZero() {
    assertShows("3", Casts.cast(ExpressionFixture.INTEGER, dec(5, 2, "2.5")));
    assertShows("-3", Casts.cast(ExpressionFixture.INTEGER, dec(5, 2, "-2.5")));
    assertShows("2", Casts.cast(ExpressionFixture.INTEGER, dec(5, 2, "2.49")));
    assertShows("3", Casts.cast(ExpressionFixture.INTEGER, dbl(2.5)));
    assertShows("-3", Casts.cast(ExpressionFixture.INTEGER, dbl(-2.5)));
    assertShows("3", Casts.cast(ExpressionFixture.BIGINT, dec(30, 10, "2.5")));
    assertShows("12", Casts.cast(ExpressionFixture.INTEGER, text(" 12 ")));
    assertShows("2", Casts.cast(ExpressionFixture.INTEGER, text("1.5")));
    assertShows("1", Casts.cast(ExpressionFixture.INTEGER, bool(true)));
  }

  @Test
  void shouldCheckRanges() {
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        () -> Casts.cast(ExpressionFixture.INTEGER, bigint(1L << 31)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(ExpressionFixture.INTEGER, dbl(3e9)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(ExpressionFixture.BIGINT, dbl(1e19)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(ExpressionFixture.BIGINT, dbl(Double.NaN)));
    assertFails(ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(decimal(4, 2), integer(100)));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(decimal(4, 2), dec(6, 3, "99.995")));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(ExpressionFixture.REAL, dbl(1e300)));
    assertFails(ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(decimal(18, 2), text("1e20")));
    assertFails(
        ErrorCode.NUMBER_OUT_OF_RANGE, () -> Casts.cast(decimal(38, 2), text("1e999999999")));
  }

  @Property(seed = "1")
  void shouldRescaleDecimals(
      @ForAll @IntRange(min = -999999, max = 999999) int unscaled,
      @ForAll @IntRange(min = 0, max = 6) int from,
      @ForAll @IntRange(min = 0, max = 10) int to,
      @ForAll boolean wide) {
    String value = java.math.BigDecimal.valueOf(unscaled, from).toPlainString();
    String expected =
        java.math.BigDecimal.valueOf(unscaled, from)
            .setScale(to, java.math.RoundingMode.HALF_UP)
            .toPlainString();
    assertShows(expected, Casts.cast(decimal(wide ? 30 : 18, to), dec(6, from, value)));
    assertShows(expected, Casts.cast(decimal(wide ? 18 : 30, to), dec(25, from, value)));
    assertShows(expected, Casts.cast(decimal(18, to), text(value)));
  }

  @Test
  void shouldConvertToFloating() {
    assertShows("2.25", Casts.cast(ExpressionFixture.DOUBLE, dec(5, 2, "2.25")));
    assertShows("0.1", Casts.cast(ExpressionFixture.DOUBLE, dec(18, 17, "0.1")));
    assertShows(
        "1.2345678901234567E14",
        Casts.cast(ExpressionFixture.DOUBLE, dec(18, 3, "123456789012345.678")));
    assertShows("1.0E10", Casts.cast(ExpressionFixture.DOUBLE, text("1e10")));
    assertShows("0.10000000149011612", Casts.cast(ExpressionFixture.REAL, dbl(0.1)));
  }

  @Test
  void shouldRejectTextThatIsNoNumber() {
    assertFails(ErrorCode.BAD_CAST, () -> Casts.cast(ExpressionFixture.INTEGER, text("abc")));
    assertFails(ErrorCode.BAD_CAST, () -> Casts.cast(ExpressionFixture.INTEGER, text("")));
    assertFails(ErrorCode.BAD_CAST, () -> Casts.cast(ExpressionFixture.DOUBLE, text("1,5")));
    assertFails(ErrorCode.BAD_CAST, () -> Casts.cast(ExpressionFixture.BOOLEAN, text("maybe")));
    assertShows("TRUE", Casts.cast(ExpressionFixture.BOOLEAN, text(" True ")));
  }

  @Test
  void shouldFormatAsText() {
    assertShows("-12.50", Casts.cast(ExpressionFixture.TEXT, dec(6, 2, "-12.5")));
    assertShows(
        "12345678901234567890.1",
        Casts.cast(ExpressionFixture.TEXT, dec(30, 1, "12345678901234567890.1")));
    assertShows("TRUE", Casts.cast(ExpressionFixture.TEXT, bool(true)));
    assertShows("0.1", Casts.cast(ExpressionFixture.TEXT, ExpressionFixture.real(0.1f)));
    assertShows("2024-02-29", Casts.cast(ExpressionFixture.TEXT, date("2024-02-29")));
    assertShows("23:59:59.5", Casts.cast(ExpressionFixture.TEXT, time("23:59:59.500")));
    assertShows(
        "1969-12-31 23:59:59.999999",
        Casts.cast(ExpressionFixture.TEXT, timestamp("1969-12-31 23:59:59.999999")));
    assertShows("NULL", Casts.cast(ExpressionFixture.TEXT, integer(null)));
  }

  @Test
  void shouldCutTextInCastsButNotInAssignments() {
    assertShows("abc", Casts.cast(varchar(3), text("abcdef")));
    assertShows("abcdef", Casts.assign(varchar(3), text("abcdef")));
    assertShows("12345", Casts.assign(varchar(3), integer(12345)));
    assertShows("ab   ", Casts.cast(ColumnType.of(Kind.CHAR, 5), text("ab")));
    assertShows("ab", Casts.cast(ColumnType.of(Kind.CHAR, 2), chars(4, "abcd")));
    assertShows("\ud83d\ude00", Casts.cast(varchar(1), text("\ud83d\ude00\ud83d\ude00")));
    assertFails(ErrorCode.STRING_TOO_LONG, () -> Casts.cast(varchar(2), integer(123)));
  }

  @Test
  void shouldParseDatesAndTimes() {
    assertShows("2024-02-29", Casts.cast(ExpressionFixture.DATE, text("2024-2-29")));
    assertShows("10:11:12.000013", Casts.cast(ExpressionFixture.TIME, text("10:11:12.0000139")));
    assertShows(
        "2024-02-29 10:11:12",
        Casts.cast(ExpressionFixture.TIMESTAMP, text("2024-02-29T10:11:12")));
    assertShows("2024-02-29 00:00:00", Casts.cast(ExpressionFixture.TIMESTAMP, text("2024-02-29")));
    for (String bad :
        new String[] {"2023-02-29", "2024-13-01", "2024-00-01", "24-02", "x", "2024-02-29x"}) {
      assertFails(ErrorCode.BAD_DATETIME, () -> Casts.cast(ExpressionFixture.DATE, text(bad)));
    }
    assertFails(ErrorCode.BAD_DATETIME, () -> Casts.cast(ExpressionFixture.TIME, text("24:00:00")));
  }

  @Test
  void shouldConvertBetweenDatesAndTimes() {
    assertShows("1969-12-31", Casts.cast(ExpressionFixture.DATE, timestamp("1969-12-31 23:59:59")));
    assertShows("23:59:59", Casts.cast(ExpressionFixture.TIME, timestamp("1969-12-31 23:59:59")));
    assertShows("2024-02-29 00:00:00", Casts.cast(ExpressionFixture.TIMESTAMP, date("2024-02-29")));
    assertShows("2024-02-29 10:00:00", Casts.cast(ExpressionFixture.TIMESTAMP, time("10:00:00")));
    ColumnType seconds = new ColumnType(Kind.TIMESTAMP, 0, 0, true);
    assertShows("1969-12-31 23:59:59", Casts.cast(seconds, timestamp("1969-12-31 23:59:58.7")));
    assertShows("1969-12-31 23:59:58", Casts.cast(seconds, timestamp("1969-12-31 23:59:58.4")));
  }

  @Test
  void shouldConvertMomentsInTheSessionsZone() {
    Frame frame = ExpressionFixture.frame();
    frame.session().setZone(ZoneId.of("Europe/Berlin"));
    Expression local = timestamp("2024-07-01 12:00:00");
    assertEquals(
        "2024-07-01 10:00:00",
        ExpressionFixture.show(Casts.cast(ExpressionFixture.LTZ, local), frame));
    Expression literal =
        Casts.cast(
            ExpressionFixture.LTZ,
            Expressions.literal(ExpressionFixture.TEXT, "2024-07-01 12:00:00"));
    assertEquals("2024-07-01 10:00:00", ExpressionFixture.show(literal, frame));
    assertEquals(
        "2024-07-01 12:00:00",
        ExpressionFixture.show(
            Casts.cast(ExpressionFixture.TIMESTAMP, Casts.cast(ExpressionFixture.LTZ, local)),
            frame));
  }

  @Test
  void shouldOmitUnnecessaryCasts() {
    Expression operand = integer(5);
    assertSame(operand, Casts.cast(ExpressionFixture.INTEGER, operand));
    assertShows("5", Casts.cast(ExpressionFixture.BIGINT, operand));
    assertEquals("5", Casts.cast(ExpressionFixture.BIGINT, operand).toString());
  }

  @Test
  void shouldConvertBinary() {
    assertShows("616200", Casts.cast(ColumnType.of(Kind.BINARY, 3), text("ab")));
    assertShows("61", Casts.cast(ColumnType.of(Kind.VARBINARY, 1), text("ab")));
    assertFails(ErrorCode.TYPE_MISMATCH, () -> Casts.cast(ExpressionFixture.BYTES, integer(1)));
    assertFails(ErrorCode.TYPE_MISMATCH, () -> Casts.cast(ExpressionFixture.DATE, integer(1)));
  }
}
