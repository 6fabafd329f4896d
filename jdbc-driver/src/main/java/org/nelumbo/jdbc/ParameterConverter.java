package org.nelumbo.jdbc;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Calendar;
import java.util.Locale;
import java.util.UUID;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.expr.ParameterSet;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;
import org.nelumbo.planner.ParameterInfo;

/**
 * Converts what the user gives a parameter to the raw value of the parameter's type. A value that
 * is stored in a column is rounded to its scale. A value that is compared has to be exact, since a
 * rounded one would find other rows.
 */
final class ParameterConverter {
  static final int UUID_BYTES = 16;

  private static final long MICROS_PER_SECOND = 1_000_000L;

  private ParameterConverter() {}

  /** Sets an integer. Most parameters take this path, which makes no garbage. */
  static void setInteger(ParameterSet parameters, int index, ParameterInfo parameter, long value)
      throws SQLException {
    ColumnType type = parameter.type();
    switch (type.kind()) {
      case BIGINT -> parameters.setLong(index, value);
      case INTEGER ->
          parameters.setLong(index, inRange(value, Integer.MIN_VALUE, Integer.MAX_VALUE, type));
      case SMALLINT ->
          parameters.setLong(index, inRange(value, Short.MIN_VALUE, Short.MAX_VALUE, type));
      case TINYINT ->
          parameters.setLong(index, inRange(value, Byte.MIN_VALUE, Byte.MAX_VALUE, type));
      case BOOLEAN -> parameters.setLong(index, value == 0 ? 0 : 1);
      case REAL, DOUBLE -> parameters.setLong(index, Double.doubleToRawLongBits((double) value));
      case DECIMAL -> setDecimal(parameters, index, parameter, BigDecimal.valueOf(value));
      case CHAR, VARCHAR -> parameters.setObject(index, Long.toString(value));
      default -> throw mismatch(type, "a number");
    }
  }

  private static long inRange(long value, long least, long most, ColumnType type)
      throws SQLException {
    if (value < least || value > most) {
      throw outOfRange(Long.toString(value), type);
    }
    return value;
  }

  private static SQLException outOfRange(String value, ColumnType type) {
    return SqlExceptions.of(
        ErrorCode.NUMBER_OUT_OF_RANGE, value + " is out of range for " + type.sqlName());
  }

  private static SQLException mismatch(ColumnType type, String what) {
    return SqlExceptions.of(ErrorCode.BAD_CAST, what + " cannot be used as " + type.sqlName());
  }

  static void setDecimal(
      ParameterSet parameters, int index, ParameterInfo parameter, BigDecimal value)
      throws SQLException {
    ColumnType type = parameter.type();
    switch (type.kind()) {
      case DECIMAL -> {
        BigDecimal scaled = scale(value, parameter);
        if (type.isLong()) {
          parameters.setLong(index, scaled.unscaledValue().longValueExact());
        } else {
          parameters.setObject(index, scaled);
        }
      }
      case REAL -> parameters.setLong(index, Double.doubleToRawLongBits(value.floatValue()));
      case DOUBLE -> parameters.setLong(index, Double.doubleToRawLongBits(value.doubleValue()));
      case CHAR, VARCHAR -> parameters.setObject(index, Decimals.text(value));
      default -> setInteger(parameters, index, parameter, whole(value, parameter));
    }
  }

  private static BigDecimal scale(BigDecimal value, ParameterInfo parameter) throws SQLException {
    ColumnType type = parameter.type();
    if (Decimals.isHuge(value)) {
      throw outOfRange(Decimals.text(value), type);
    }
    BigDecimal scaled = Decimals.round(value, type.scale());
    if (!parameter.assignment() && scaled.compareTo(value) != 0) {
      throw SqlExceptions.of(
          ErrorCode.NUMBER_OUT_OF_RANGE,
          Decimals.text(value)
              + " has more decimals than "
              + type.sqlName()
              + ", with which it is compared; use CAST(? AS DECIMAL(p, s))");
    }
    if (scaled.precision() > type.precision()) {
      throw outOfRange(Decimals.text(value), type);
    }
    return scaled;
  }

  private static long whole(BigDecimal value, ParameterInfo parameter) throws SQLException {
    if (Decimals.isHuge(value)) {
      throw outOfRange(Decimals.text(value), parameter.type());
    }
    BigDecimal rounded = Decimals.round(value, 0);
    if (!parameter.assignment() && rounded.compareTo(value) != 0) {
      throw SqlExceptions.of(
          ErrorCode.NUMBER_OUT_OF_RANGE,
          Decimals.text(value)
              + " is compared with "
              + parameter.type().sqlName()
              + ", which has no decimals; use CAST(? AS DECIMAL(p, s))");
    }
    if (rounded.toBigInteger().bitLength() > 63) {
      throw outOfRange(Decimals.text(value), parameter.type());
    }
    return rounded.longValueExact();
  }

  static void setDouble(ParameterSet parameters, int index, ParameterInfo parameter, double value)
      throws SQLException {
    switch (parameter.type().kind()) {
      case DOUBLE -> parameters.setLong(index, Double.doubleToRawLongBits(value));
      case REAL -> parameters.setLong(index, Double.doubleToRawLongBits((float) value));
      case CHAR, VARCHAR -> parameters.setObject(index, Double.toString(value));
      default -> {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
          throw outOfRange(Double.toString(value), parameter.type());
        }
        setDecimal(parameters, index, parameter, BigDecimal.valueOf(value));
      }
    }
  }

  static void setString(ParameterSet parameters, int index, ParameterInfo parameter, String value)
      throws SQLException {
    ColumnType type = parameter.type();
    String text = value.trim();
    try {
      switch (type.kind()) {
        case CHAR, VARCHAR -> parameters.setObject(index, value);
        case BINARY, VARBINARY ->
            parameters.setObject(index, value.getBytes(StandardCharsets.UTF_8));
        case BOOLEAN -> parameters.setLong(index, bool(text, type));
        case REAL, DOUBLE -> setDouble(parameters, index, parameter, Double.parseDouble(text));
        case DATE -> parameters.setLong(index, day(LocalDate.parse(text)));
        case TIME -> parameters.setLong(index, micros(LocalTime.parse(text)));
        case TIMESTAMP, TIMESTAMP_LTZ -> setDateTime(parameters, index, parameter, dateTime(text));
        default -> setDecimal(parameters, index, parameter, new BigDecimal(text));
      }
    } catch (NumberFormatException | DateTimeParseException e) {
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

  private static long day(LocalDate date) {
    return Math.toIntExact(date.toEpochDay());
  }

  private static SQLException datetimeOverflow(ColumnType type) {
    return SqlExceptions.of(
        ErrorCode.DATETIME_OVERFLOW, "the date is out of range for " + type.sqlName());
  }

  static void setDate(ParameterSet parameters, int index, ParameterInfo parameter, LocalDate value)
      throws SQLException {
    switch (parameter.type().kind()) {
      case DATE -> parameters.setLong(index, day(value));
      case CHAR, VARCHAR -> parameters.setObject(index, value.toString());
      case TIMESTAMP, TIMESTAMP_LTZ ->
          setDateTime(parameters, index, parameter, value.atStartOfDay());
      default -> throw mismatch(parameter.type(), "a date");
    }
  }

  static void setTime(ParameterSet parameters, int index, ParameterInfo parameter, LocalTime value)
      throws SQLException {
    switch (parameter.type().kind()) {
      case TIME -> parameters.setLong(index, micros(value));
      case CHAR, VARCHAR -> parameters.setObject(index, value.toString());
      default -> throw mismatch(parameter.type(), "a time");
    }
  }

  static void setDateTime(
      ParameterSet parameters, int index, ParameterInfo parameter, LocalDateTime value)
      throws SQLException {
    switch (parameter.type().kind()) {
      case TIMESTAMP -> parameters.setLong(index, micros(value));
      case TIMESTAMP_LTZ ->
          parameters.setLong(index, micros(value.atZone(ZoneId.systemDefault()).toInstant()));
      case DATE -> parameters.setLong(index, day(value.toLocalDate()));
      case TIME -> parameters.setLong(index, micros(value.toLocalTime()));
      case CHAR, VARCHAR -> parameters.setObject(index, Timestamp.valueOf(value).toString());
      default -> throw mismatch(parameter.type(), "a timestamp");
    }
  }

  private static void setInstant(
      ParameterSet parameters, int index, ParameterInfo parameter, Instant value)
      throws SQLException {
    if (parameter.type().kind() == Kind.TIMESTAMP_LTZ) {
      parameters.setLong(index, micros(value));
    } else {
      setDateTime(
          parameters, index, parameter, LocalDateTime.ofInstant(value, ZoneId.systemDefault()));
    }
  }

  static void setBytes(ParameterSet parameters, int index, ParameterInfo parameter, byte[] value)
      throws SQLException {
    ColumnType type = parameter.type();
    if (type.kind().isBinary()) {
      parameters.setObject(index, value);
    } else if (type.kind().isCharacter()) {
      parameters.setObject(index, new String(value, StandardCharsets.UTF_8));
    } else {
      throw mismatch(type, "a byte array");
    }
  }

  static void setObject(ParameterSet parameters, int index, ParameterInfo parameter, Object value)
      throws SQLException {
    try {
      setAny(parameters, index, parameter, value);
    } catch (DateTimeException | ArithmeticException e) {
      throw datetimeOverflow(parameter.type());
    }
  }

  private static void setAny(
      ParameterSet parameters, int index, ParameterInfo parameter, Object value)
      throws SQLException {
    switch (value) {
      case null -> parameters.setNull(index);
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
    }
  }

  private static void setRare(
      ParameterSet parameters, int index, ParameterInfo parameter, Object value)
      throws SQLException {
    switch (value) {
      case LocalDate date -> setDate(parameters, index, parameter, date);
      case LocalTime time -> setTime(parameters, index, parameter, time);
      case LocalDateTime time -> setDateTime(parameters, index, parameter, time);
      case OffsetDateTime time -> setInstant(parameters, index, parameter, time.toInstant());
      case ZonedDateTime time -> setInstant(parameters, index, parameter, time.toInstant());
      case Instant time -> setInstant(parameters, index, parameter, time);
      case Character character -> setString(parameters, index, parameter, character.toString());
      case UUID uuid -> setUuid(parameters, index, parameter, uuid);
      case Calendar calendar -> setInstant(parameters, index, parameter, calendar.toInstant());
      case Blob blob -> setBytes(parameters, index, parameter, LargeObjects.bytes(blob));
      case Clob clob -> setString(parameters, index, parameter, LargeObjects.text(clob));
      case Enum<?> constant -> setString(parameters, index, parameter, constant.name());
      default -> throw mismatch(parameter.type(), "an object of " + value.getClass().getName());
    }
  }

  /** Sets a UUID as 16 bytes for BINARY and VARBINARY, else as text. */
  private static void setUuid(
      ParameterSet parameters, int index, ParameterInfo parameter, UUID value) throws SQLException {
    if (parameter.type().kind().isBinary()) {
      ByteBuffer bytes = ByteBuffer.allocate(UUID_BYTES);
      bytes.putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
      parameters.setObject(index, bytes.array());
    } else {
      setString(parameters, index, parameter, value.toString());
    }
  }

  /**
   * Sets a {@code java.sql.Timestamp}: as a point in time for TIMESTAMP WITH LOCAL TIME ZONE, as
   * its local date and time for the others.
   */
  static void setTimestamp(
      ParameterSet parameters, int index, ParameterInfo parameter, Timestamp value)
      throws SQLException {
    if (parameter.type().kind() == Kind.TIMESTAMP_LTZ) {
      parameters.setLong(index, micros(value.toInstant()));
    } else {
      setDateTime(parameters, index, parameter, value.toLocalDateTime());
    }
  }

  static void setBoolean(ParameterSet parameters, int index, ParameterInfo parameter, boolean value)
      throws SQLException {
    if (parameter.type().kind().isCharacter()) {
      parameters.setObject(index, Boolean.toString(value));
    } else {
      setInteger(parameters, index, parameter, value ? 1 : 0);
    }
  }
}
