package org.nelumbo.jdbc.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Calendar;
import java.util.Locale;
import java.util.UUID;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.types.BinaryText;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.FractionalSeconds;
import org.nelumbo.types.IntervalText;
import org.nelumbo.types.Kind;
import org.nelumbo.types.ParameterSet;
import org.nelumbo.types.Uuids;

/**
 * Converts the arguments of setters to raw values of the parameter's type.
 *
 * <p>A value that is stored in a column is rounded to the column's scale. A value that is compared
 * or computed with must be exact, because a rounded value would match other rows. If the
 * parameter's type cannot represent it, the methods set nothing and return false; the parameter
 * then needs the type of the value ({@link ValueTypes}).
 */
public final class ParameterConverter {
  private static final long MICROS_PER_SECOND = 1_000_000L;

  private ParameterConverter() {}

  /** Sets an integer. Most parameters take this path, which allocates nothing. */
  public static boolean setInteger(
      ParameterSet parameters, int index, ParameterInfo parameter, long value) throws SQLException {
    ColumnType type = parameter.type();
    return switch (type.kind()) {
      case BIGINT -> setLong(parameters, index, value);
      case INTEGER ->
          setInRange(parameters, index, parameter, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case SMALLINT ->
          setInRange(parameters, index, parameter, value, Short.MIN_VALUE, Short.MAX_VALUE);
      case TINYINT ->
          setInRange(parameters, index, parameter, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case BOOLEAN -> setLong(parameters, index, value == 0 ? 0 : 1);
      case REAL, DOUBLE -> setLong(parameters, index, Double.doubleToRawLongBits((double) value));
      case DECIMAL, NUMERIC -> setDecimal(parameters, index, parameter, BigDecimal.valueOf(value));
      case CHAR, VARCHAR -> setValue(parameters, index, Long.toString(value));
      default -> misfit(parameter, "a number");
    };
  }

  private static boolean setLong(ParameterSet parameters, int index, long raw) {
    parameters.setLong(index, raw);
    return true;
  }

  private static boolean setValue(ParameterSet parameters, int index, Object raw) {
    parameters.setObject(index, raw);
    return true;
  }

  private static boolean setInRange(
      ParameterSet parameters,
      int index,
      ParameterInfo parameter,
      long value,
      long least,
      long most)
      throws SQLException {
    if (value < least || value > most) {
      return tooLarge(parameter, Long.toString(value));
    }
    return setLong(parameters, index, value);
  }

  /**
   * Throws if the value is to be stored, because it must fit its column; otherwise returns false,
   * since another type can hold it.
   */
  private static boolean tooLarge(ParameterInfo parameter, String value) throws SQLException {
    if (parameter.assignment()) {
      throw outOfRange(value, parameter.type());
    }
    return false;
  }

  private static boolean misfit(ParameterInfo parameter, String what) throws SQLException {
    if (parameter.assignment()) {
      throw mismatch(parameter.type(), what);
    }
    return false;
  }

  private static SQLException outOfRange(String value, ColumnType type) {
    return SqlExceptions.of(
        ErrorCode.NUMBER_OUT_OF_RANGE, value + " is out of range for " + type.sqlName());
  }

  private static SQLException mismatch(ColumnType type, String what) {
    return SqlExceptions.of(ErrorCode.BAD_CAST, what + " cannot be used as " + type.sqlName());
  }

  public static boolean setDecimal(
      ParameterSet parameters, int index, ParameterInfo parameter, BigDecimal value)
      throws SQLException {
    ColumnType type = parameter.type();
    return switch (type.kind()) {
      case DECIMAL -> setScaled(parameters, index, parameter, value);
      case NUMERIC -> setNumeric(parameters, index, parameter, value);
      case REAL -> setLong(parameters, index, Double.doubleToRawLongBits(value.floatValue()));
      case DOUBLE -> setLong(parameters, index, Double.doubleToRawLongBits(value.doubleValue()));
      case CHAR, VARCHAR -> setValue(parameters, index, DecimalRounding.text(value));
      default -> setWhole(parameters, index, parameter, value);
    };
  }

  private static boolean setNumeric(
      ParameterSet parameters, int index, ParameterInfo parameter, BigDecimal value)
      throws SQLException {
    if (!Decimals.fitsNumeric(value)) {
      return tooLarge(parameter, DecimalRounding.text(value));
    }
    BigDecimal numeric = Decimals.toNumeric(value);
    return (parameter.assignment() || numeric.compareTo(value) == 0)
        && setValue(parameters, index, numeric);
  }

  private static boolean setScaled(
      ParameterSet parameters, int index, ParameterInfo parameter, BigDecimal value)
      throws SQLException {
    ColumnType type = parameter.type();
    if (DecimalRounding.isHuge(value)) {
      return tooLarge(parameter, DecimalRounding.text(value));
    }
    BigDecimal scaled = DecimalRounding.round(value, type.scale());
    if (!parameter.assignment() && scaled.compareTo(value) != 0) {
      return false;
    }
    if (scaled.precision() > type.precision()) {
      return tooLarge(parameter, DecimalRounding.text(value));
    }
    return type.isLong()
        ? setLong(parameters, index, scaled.unscaledValue().longValueExact())
        : setValue(parameters, index, scaled);
  }

  private static boolean setWhole(
      ParameterSet parameters, int index, ParameterInfo parameter, BigDecimal value)
      throws SQLException {
    if (DecimalRounding.isHuge(value)) {
      return tooLarge(parameter, DecimalRounding.text(value));
    }
    BigDecimal rounded = DecimalRounding.round(value, 0);
    if (!parameter.assignment() && rounded.compareTo(value) != 0) {
      return false;
    }
    return rounded.toBigInteger().bitLength() > 63
        ? tooLarge(parameter, DecimalRounding.text(value))
        : setInteger(parameters, index, parameter, rounded.longValueExact());
  }

  public static boolean setDouble(
      ParameterSet parameters, int index, ParameterInfo parameter, double value)
      throws SQLException {
    return switch (parameter.type().kind()) {
      case DOUBLE -> setLong(parameters, index, Double.doubleToRawLongBits(value));
      case REAL -> setLong(parameters, index, Double.doubleToRawLongBits((float) value));
      case CHAR, VARCHAR -> setValue(parameters, index, Double.toString(value));
      default ->
          Double.isNaN(value) || Double.isInfinite(value)
              ? tooLarge(parameter, Double.toString(value))
              : setDecimal(parameters, index, parameter, BigDecimal.valueOf(value));
    };
  }

  public static boolean setString(
      ParameterSet parameters, int index, ParameterInfo parameter, String value)
      throws SQLException {
    ColumnType type = parameter.type();
    String text = value.trim();
    try {
      return switch (type.kind()) {
        case CHAR, VARCHAR -> setValue(parameters, index, value);
        case BINARY, VARBINARY -> setValue(parameters, index, BinaryText.parse(type, value));
        case BOOLEAN -> setLong(parameters, index, bool(text, type));
        case REAL, DOUBLE -> setDouble(parameters, index, parameter, Double.parseDouble(text));
        case UUID -> setValue(parameters, index, Uuids.parse(text));
        case DATE -> setLong(parameters, index, day(LocalDate.parse(text)));
        case TIME -> setTime(parameters, index, parameter, LocalTime.parse(text));
        case TIMESTAMP -> setDateTime(parameters, index, parameter, dateTime(text));
        case TIMESTAMP_LTZ ->
            setMicros(
                parameters,
                index,
                parameter,
                DatetimeText.parseInstant(text, ZoneId.systemDefault()));
        case INTERVAL_MONTHS, INTERVAL_MICROS ->
            setLong(parameters, index, IntervalText.parse(type.kind(), text));
        default -> setDecimal(parameters, index, parameter, new BigDecimal(text));
      };
    } catch (NumberFormatException | DateTimeParseException | NelumboException e) {
      throw SqlExceptions.of(
          ErrorCode.BAD_CAST, "'" + value + "' is not a value of " + type.sqlName());
    } catch (ArithmeticException e) {
      throw datetimeOverflow(type);
    }
  }

  private static LocalDateTime dateTime(String text) {
    String iso = text.replace(' ', 'T');
    return iso.indexOf('T') < 0 ? LocalDate.parse(iso).atStartOfDay() : LocalDateTime.parse(iso);
  }

  private static long bool(String text, ColumnType type) throws SQLException {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t", "1", "yes", "on" -> 1;
      case "false", "f", "0", "no", "off" -> 0;
      default ->
          throw SqlExceptions.of(
              ErrorCode.BAD_CAST, "'" + text + "' is not a value of " + type.sqlName());
    };
  }

  private static long micros(LocalTime time) {
    return time.toNanoOfDay() / 1000;
  }

  private static long micros(LocalDateTime time) {
    return micros(time.toInstant(ZoneOffset.UTC));
  }

  private static long micros(Instant time) {
    return Math.addExact(
        Math.multiplyExact(time.getEpochSecond(), MICROS_PER_SECOND), time.getNano() / 1000);
  }

  /**
   * Rounds a value that is stored to the column's precision; elsewhere returns false for a finer
   * value, which then gets its own type.
   */
  private static boolean setMicros(
      ParameterSet parameters, int index, ParameterInfo parameter, long raw) {
    long rounded = FractionalSeconds.round(parameter.type(), raw);
    return (parameter.assignment() || rounded == raw) && setLong(parameters, index, rounded);
  }

  private static long day(LocalDate date) {
    return Math.toIntExact(date.toEpochDay());
  }

  private static SQLException datetimeOverflow(ColumnType type) {
    return SqlExceptions.of(
        ErrorCode.DATETIME_OVERFLOW, "the date is out of range for " + type.sqlName());
  }

  static boolean setDate(
      ParameterSet parameters, int index, ParameterInfo parameter, LocalDate value)
      throws SQLException {
    return switch (parameter.type().kind()) {
      case DATE -> setLong(parameters, index, day(value));
      case CHAR, VARCHAR -> setValue(parameters, index, value.toString());
      case TIMESTAMP, TIMESTAMP_LTZ ->
          setDateTime(parameters, index, parameter, value.atStartOfDay());
      default -> misfit(parameter, "a date");
    };
  }

  static boolean setTime(
      ParameterSet parameters, int index, ParameterInfo parameter, LocalTime value)
      throws SQLException {
    return switch (parameter.type().kind()) {
      case TIME -> setMicros(parameters, index, parameter, micros(value));
      case CHAR, VARCHAR -> setValue(parameters, index, value.toString());
      default -> misfit(parameter, "a time");
    };
  }

  static boolean setDateTime(
      ParameterSet parameters, int index, ParameterInfo parameter, LocalDateTime value)
      throws SQLException {
    return switch (parameter.type().kind()) {
      case TIMESTAMP -> setMicros(parameters, index, parameter, micros(value));
      case TIMESTAMP_LTZ ->
          setMicros(
              parameters,
              index,
              parameter,
              micros(value.atZone(ZoneId.systemDefault()).toInstant()));
      case DATE ->
          (parameter.assignment() || value.toLocalTime().equals(LocalTime.MIDNIGHT))
              && setLong(parameters, index, day(value.toLocalDate()));
      case TIME -> setMicros(parameters, index, parameter, micros(value.toLocalTime()));
      case CHAR, VARCHAR -> setValue(parameters, index, Timestamp.valueOf(value).toString());
      default -> misfit(parameter, "a timestamp");
    };
  }

  private static boolean setInstant(
      ParameterSet parameters, int index, ParameterInfo parameter, Instant value)
      throws SQLException {
    return parameter.type().kind() == Kind.TIMESTAMP_LTZ
        ? setMicros(parameters, index, parameter, micros(value))
        : setDateTime(
            parameters, index, parameter, LocalDateTime.ofInstant(value, ZoneId.systemDefault()));
  }

  static boolean setBytes(ParameterSet parameters, int index, ParameterInfo parameter, byte[] value)
      throws SQLException {
    ColumnType type = parameter.type();
    if (type.kind().isBinary()) {
      return setValue(parameters, index, value);
    }
    if (type.kind() == Kind.UUID && value.length == Uuids.BYTES) {
      return setValue(parameters, index, Uuids.of(value));
    }
    return type.kind().isCharacter()
        ? setValue(parameters, index, new String(value, StandardCharsets.UTF_8))
        : misfit(parameter, "a byte array");
  }

  public static boolean setObject(
      ParameterSet parameters, int index, ParameterInfo parameter, Object value)
      throws SQLException {
    try {
      return setAny(parameters, index, parameter, value);
    } catch (DateTimeException | ArithmeticException e) {
      throw datetimeOverflow(parameter.type());
    }
  }

  private static boolean setAny(
      ParameterSet parameters, int index, ParameterInfo parameter, Object value)
      throws SQLException {
    return switch (value) {
      case null -> {
        parameters.setNull(index);
        yield true;
      }
      case String text -> setString(parameters, index, parameter, text);
      case Integer number -> setInteger(parameters, index, parameter, number);
      case Long number -> setInteger(parameters, index, parameter, number);
      case Short number -> setInteger(parameters, index, parameter, number);
      case Byte number -> setInteger(parameters, index, parameter, number);
      case Boolean bool -> setBoolean(parameters, index, parameter, bool);
      case BigDecimal number -> setDecimal(parameters, index, parameter, number);
      case BigInteger number -> setDecimal(parameters, index, parameter, new BigDecimal(number));
      case Float number ->
          setDouble(parameters, index, parameter, Double.parseDouble(number.toString()));
      case Double number -> setDouble(parameters, index, parameter, number);
      case byte[] bytes -> setBytes(parameters, index, parameter, bytes);
      case Date date -> setDate(parameters, index, parameter, date.toLocalDate());
      case Time time -> setTime(parameters, index, parameter, time.toLocalTime());
      case Timestamp timestamp -> setTimestamp(parameters, index, parameter, timestamp);
      case java.util.Date date -> setInstant(parameters, index, parameter, date.toInstant());
      default -> setRare(parameters, index, parameter, value);
    };
  }

  private static boolean setRare(
      ParameterSet parameters, int index, ParameterInfo parameter, Object value)
      throws SQLException {
    return switch (value) {
      case LocalDate date -> setDate(parameters, index, parameter, date);
      case LocalTime time -> setTime(parameters, index, parameter, time);
      case LocalDateTime time -> setDateTime(parameters, index, parameter, time);
      case OffsetDateTime time -> setInstant(parameters, index, parameter, time.toInstant());
      case ZonedDateTime time -> setInstant(parameters, index, parameter, time.toInstant());
      case Instant time -> setInstant(parameters, index, parameter, time);
      case OffsetTime time -> setTime(parameters, index, parameter, time.toLocalTime());
      case CharSequence text -> setString(parameters, index, parameter, text.toString());
      case Character character -> setString(parameters, index, parameter, character.toString());
      case UUID uuid -> setUuid(parameters, index, parameter, uuid);
      case Calendar calendar -> setInstant(parameters, index, parameter, calendar.toInstant());
      case Blob blob -> setBytes(parameters, index, parameter, LargeObjects.bytes(blob));
      case Clob clob -> setString(parameters, index, parameter, LargeObjects.text(clob));
      case Duration duration -> setDuration(parameters, index, parameter, duration);
      case Period period -> setPeriod(parameters, index, parameter, period);
      case Enum<?> constant -> setString(parameters, index, parameter, constant.name());
      default -> throw mismatch(parameter.type(), "an object of " + value.getClass().getName());
    };
  }

  private static boolean setDuration(
      ParameterSet parameters, int index, ParameterInfo parameter, Duration value)
      throws SQLException {
    long micros =
        Math.addExact(
            Math.multiplyExact(value.getSeconds(), MICROS_PER_SECOND), value.getNano() / 1000);
    return switch (parameter.type().kind()) {
      case INTERVAL_MICROS -> setLong(parameters, index, micros);
      case CHAR, VARCHAR ->
          setValue(parameters, index, IntervalText.format(Kind.INTERVAL_MICROS, micros));
      default -> misfit(parameter, "a duration");
    };
  }

  /** No interval type has both months and days. */
  private static boolean setPeriod(
      ParameterSet parameters, int index, ParameterInfo parameter, Period value)
      throws SQLException {
    long months = value.toTotalMonths();
    return switch (parameter.type().kind()) {
      case INTERVAL_MONTHS ->
          value.get(ChronoUnit.DAYS) == 0
              ? setLong(parameters, index, months)
              : misfit(parameter, "a period with days");
      case INTERVAL_MICROS ->
          months == 0
              ? setDuration(
                  parameters, index, parameter, Duration.ofDays(value.get(ChronoUnit.DAYS)))
              : misfit(parameter, "a period with months");
      case CHAR, VARCHAR -> setValue(parameters, index, value.toString());
      default -> misfit(parameter, "a period");
    };
  }

  private static boolean setUuid(
      ParameterSet parameters, int index, ParameterInfo parameter, UUID value) throws SQLException {
    return switch (parameter.type().kind()) {
      case UUID -> setValue(parameters, index, value);
      case BINARY, VARBINARY -> setValue(parameters, index, Uuids.bytes(value));
      case CHAR, VARCHAR -> setValue(parameters, index, value.toString());
      default -> misfit(parameter, "a UUID");
    };
  }

  /**
   * Sets a {@code java.sql.Timestamp}: as a point in time for TIMESTAMP WITH LOCAL TIME ZONE, as
   * its local date and time for other types.
   */
  static boolean setTimestamp(
      ParameterSet parameters, int index, ParameterInfo parameter, Timestamp value)
      throws SQLException {
    return parameter.type().kind() == Kind.TIMESTAMP_LTZ
        ? setLong(parameters, index, micros(value.toInstant()))
        : setDateTime(parameters, index, parameter, value.toLocalDateTime());
  }

  public static boolean setBoolean(
      ParameterSet parameters, int index, ParameterInfo parameter, boolean value)
      throws SQLException {
    return parameter.type().kind().isCharacter()
        ? setValue(parameters, index, Boolean.toString(value))
        : setInteger(parameters, index, parameter, value ? 1 : 0);
  }
}
