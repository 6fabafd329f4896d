package org.nelumbo.jdbc.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Calendar;
import java.util.UUID;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.IntervalText;
import org.nelumbo.types.Kind;

/** The SQL types that parameter values have by themselves. */
public final class ValueTypes {
  private static final int MICROSECONDS = 6;

  private ValueTypes() {}

  /**
   * Returns true if a parameter accepts a value unchanged: its type is fixed, or equals the value's
   * type.
   */
  public static boolean isTypeOf(ParameterInfo parameter, Object value) {
    if (!parameter.open() || value == null) {
      return true;
    }
    Kind kind = parameter.type().kind();
    Kind natural = of(value).kind();
    return kind == natural || kind.isInteger() && natural.isInteger();
  }

  /** Returns true if a parameter accepts an integer unchanged. */
  public static boolean isIntegerFor(ParameterInfo parameter) {
    return !parameter.open() || parameter.type().kind().isInteger();
  }

  /** Returns the nullable type of a value. */
  public static ColumnType of(Object value) {
    return plain(value).orNull();
  }

  private static ColumnType plain(Object value) {
    return switch (value) {
      case Byte _, Short _, Integer _ -> ColumnType.of(Kind.INTEGER);
      case Long _ -> ColumnType.of(Kind.BIGINT);
      case Float _, Double _ -> ColumnType.of(Kind.DOUBLE);
      case BigDecimal number -> decimal(number);
      case BigInteger number -> decimal(new BigDecimal(number));
      case Boolean _ -> ColumnType.of(Kind.BOOLEAN);
      case byte[] _, java.sql.Blob _ ->
          new ColumnType(Kind.VARBINARY, ColumnType.UNLIMITED, 0, true);
      case UUID _ -> ColumnType.of(Kind.UUID);
      case Date _, LocalDate _ -> ColumnType.of(Kind.DATE);
      case Time _, LocalTime _, OffsetTime _ -> new ColumnType(Kind.TIME, MICROSECONDS, 0, true);
      case java.util.Date _,
          LocalDateTime _,
          OffsetDateTime _,
          ZonedDateTime _,
          Instant _,
          Calendar _ ->
          new ColumnType(Kind.TIMESTAMP, MICROSECONDS, 0, true);
      case Duration _ -> ColumnType.of(Kind.INTERVAL_MICROS);
      case Period period ->
          ColumnType.of(
              period.get(ChronoUnit.DAYS) != 0 ? Kind.INTERVAL_MICROS : Kind.INTERVAL_MONTHS);
      default -> new ColumnType(Kind.VARCHAR, ColumnType.UNLIMITED, 0, true);
    };
  }

  /**
   * Returns a type for all digits of the number, with room for other numbers of its scale; DOUBLE
   * if the number is too large.
   */
  private static ColumnType decimal(BigDecimal value) {
    if (DecimalRounding.isHuge(value)) {
      return ColumnType.of(Kind.DOUBLE);
    }
    BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
    int digits = Math.max(plain.precision(), plain.scale());
    if (digits > ColumnType.MAX_DECIMAL_PRECISION) {
      return ColumnType.of(isNumeric(value) ? Kind.NUMERIC : Kind.DOUBLE);
    }
    int precision =
        digits <= ColumnType.MAX_LONG_PRECISION
            ? ColumnType.MAX_LONG_PRECISION
            : ColumnType.MAX_DECIMAL_PRECISION;
    return ColumnType.decimal(precision, plain.scale());
  }

  private static boolean isNumeric(BigDecimal value) {
    return Decimals.fitsNumeric(value) && value.scale() <= Decimals.NUMERIC_DIGITS;
  }

  /**
   * Returns a type that can represent values of both types: the wider numeric type, otherwise text.
   */
  public static ColumnType common(ColumnType a, ColumnType b) {
    if (a.kind() == b.kind() && a.kind() != Kind.DECIMAL) {
      return b;
    } else if (!a.kind().isNumeric() || !b.kind().isNumeric()) {
      return of("");
    } else if (a.kind().isFloating() || b.kind().isFloating()) {
      return ColumnType.of(Kind.DOUBLE).orNull();
    } else if (a.kind().isInteger() && b.kind().isInteger()) {
      return ColumnType.of(Kind.BIGINT).orNull();
    }
    if (a.kind() == Kind.NUMERIC || b.kind() == Kind.NUMERIC) {
      return ColumnType.of(Kind.NUMERIC).orNull();
    }
    int scale = Math.max(a.scale(), b.scale());
    return ColumnType.decimal(ColumnType.MAX_DECIMAL_PRECISION, scale).orNull();
  }

  /** Returns the object that the driver accepts as parameter for a raw value of a type. */
  static Object object(ColumnType type, long raw) {
    return switch (type.kind()) {
      case BOOLEAN -> raw != 0;
      case REAL, DOUBLE -> Double.longBitsToDouble(raw);
      case DECIMAL -> BigDecimal.valueOf(raw, type.scale());
      case DATE -> LocalDate.ofEpochDay(raw);
      case TIME -> LocalTime.ofNanoOfDay(raw * 1000);
      case TIMESTAMP -> local(raw);
      case INTERVAL_MONTHS ->
          raw == (int) raw ? Period.ofMonths((int) raw) : IntervalText.format(type.kind(), raw);
      case INTERVAL_MICROS -> Duration.of(raw, ChronoUnit.MICROS);
      case TIMESTAMP_LTZ -> Instant.EPOCH.plus(raw, ChronoUnit.MICROS);
      default -> raw;
    };
  }

  private static LocalDateTime local(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L),
        (int) Math.floorMod(micros, 1_000_000L) * 1000,
        java.time.ZoneOffset.UTC);
  }
}
