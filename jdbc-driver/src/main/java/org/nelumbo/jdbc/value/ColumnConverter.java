package org.nelumbo.jdbc.value;

import java.io.ByteArrayInputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
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
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.GregorianCalendar;
import java.util.HexFormat;
import java.util.UUID;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Rows;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.DatetimeText;
import org.nelumbo.types.IntervalText;
import org.nelumbo.types.Kind;
import org.nelumbo.types.Uuids;

/**
 * Converts raw values of a row to the results of {@code ResultSet} getters. Values are not NULL:
 * the caller checks first.
 */
public final class ColumnConverter {
  private static final long MICROS_PER_SECOND = 1_000_000L;
  private static final DateTimeFormatter TIMESTAMP_TEXT =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss")
          .appendFraction(ChronoField.MICRO_OF_SECOND, 0, 6, true)
          .toFormatter();

  private ColumnConverter() {}

  public static long toLong(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> rows.longAt(column);
      case REAL, DOUBLE -> truncate(Double.longBitsToDouble(rows.longAt(column)));
      case DECIMAL, NUMERIC -> DecimalRounding.truncateToLong(toDecimal(rows, column, type));
      case CHAR, VARCHAR -> DecimalRounding.truncateToLong(parse((String) rows.objectAt(column)));
      default -> throw mismatch(type, "a number");
    };
  }

  private static long truncate(double value) throws SQLException {
    if (!(value >= Long.MIN_VALUE && value < 0x1p63)) {
      throw outOfRange(Double.toString(value));
    }
    return (long) value;
  }

  static SQLException outOfRange(String value) {
    return SqlExceptions.of(
        ErrorCode.NUMBER_OUT_OF_RANGE, value + " is out of range for the requested type");
  }

  private static BigDecimal parse(String text) throws SQLException {
    try {
      return new BigDecimal(text.trim());
    } catch (NumberFormatException e) {
      throw SqlExceptions.of(ErrorCode.BAD_CAST, "'" + text + "' is not a number");
    }
  }

  private static SQLException mismatch(ColumnType type, String what) {
    return SqlExceptions.of(ErrorCode.BAD_CAST, type.sqlName() + " cannot be read as " + what);
  }

  public static boolean toBoolean(Rows rows, int column, ColumnType type) throws SQLException {
    if (type.kind().isCharacter()) {
      String text = ((String) rows.objectAt(column)).trim();
      if (text.equalsIgnoreCase("true") || text.equalsIgnoreCase("t")) {
        return true;
      } else if (text.equalsIgnoreCase("false") || text.equalsIgnoreCase("f")) {
        return false;
      }
    }
    return type.kind().isFloating()
        ? Double.longBitsToDouble(rows.longAt(column)) != 0
        : toDecimal(rows, column, type).signum() != 0;
  }

  public static double toDouble(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case REAL, DOUBLE -> Double.longBitsToDouble(rows.longAt(column));
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> (double) rows.longAt(column);
      case CHAR, VARCHAR -> parseDouble((String) rows.objectAt(column));
      default -> toDecimal(rows, column, type).doubleValue();
    };
  }

  private static double parseDouble(String text) throws SQLException {
    try {
      return Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      throw SqlExceptions.of(ErrorCode.BAD_CAST, "'" + text + "' is not a number");
    }
  }

  public static BigDecimal toDecimal(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case DECIMAL, NUMERIC ->
          type.isLong()
              ? BigDecimal.valueOf(rows.longAt(column), type.scale())
              : (BigDecimal) rows.objectAt(column);
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(rows.longAt(column));
      case REAL, DOUBLE -> exact(type, Double.longBitsToDouble(rows.longAt(column)));
      case CHAR, VARCHAR -> parse((String) rows.objectAt(column));
      default -> throw mismatch(type, "a number");
    };
  }

  private static BigDecimal exact(ColumnType type, double value) throws SQLException {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw outOfRange(Double.toString(value));
    }
    return type.kind() == Kind.REAL
        ? new BigDecimal(Float.toString((float) value))
        : BigDecimal.valueOf(value);
  }

  public static String toText(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case CHAR, VARCHAR -> (String) rows.objectAt(column);
      case BOOLEAN -> rows.longAt(column) != 0 ? "TRUE" : "FALSE";
      case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(rows.longAt(column));
      case REAL -> Float.toString((float) Double.longBitsToDouble(rows.longAt(column)));
      case DOUBLE -> Double.toString(Double.longBitsToDouble(rows.longAt(column)));
      case DECIMAL, NUMERIC -> toDecimal(rows, column, type).toPlainString();
      case BINARY, VARBINARY -> HexFormat.of().formatHex((byte[]) rows.objectAt(column));
      case UUID -> rows.objectAt(column).toString();
      case DATE -> toDate(rows, column, type).toString();
      case TIME -> toTime(rows, column, type).format(DateTimeFormatter.ISO_LOCAL_TIME);
      case TIMESTAMP -> toDateTime(rows, column, type).format(TIMESTAMP_TEXT);
      case TIMESTAMP_LTZ -> DatetimeText.formatInstant(rows.longAt(column), ZoneId.systemDefault());
      case INTERVAL_MONTHS, INTERVAL_MICROS ->
          IntervalText.format(type.kind(), rows.longAt(column));
    };
  }

  public static byte[] toBytes(Rows rows, int column, ColumnType type) throws SQLException {
    if (type.kind().isBinary()) {
      return (byte[]) rows.objectAt(column);
    } else if (type.kind().isCharacter()) {
      return ((String) rows.objectAt(column)).getBytes(StandardCharsets.UTF_8);
    } else if (type.kind() == Kind.UUID) {
      return Uuids.bytes((UUID) rows.objectAt(column));
    }
    throw mismatch(type, "bytes");
  }

  public static LocalDate toDate(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(rows.longAt(column));
      case TIMESTAMP, TIMESTAMP_LTZ -> toDateTime(rows, column, type).toLocalDate();
      case CHAR, VARCHAR -> toDateTime(rows, column, type).toLocalDate();
      default -> throw mismatch(type, "a date");
    };
  }

  public static LocalTime toTime(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case TIME -> LocalTime.ofNanoOfDay(rows.longAt(column) * 1000);
      case TIMESTAMP, TIMESTAMP_LTZ -> toDateTime(rows, column, type).toLocalTime();
      case CHAR, VARCHAR -> parseTime((String) rows.objectAt(column));
      default -> throw mismatch(type, "a time");
    };
  }

  private static LocalTime parseTime(String text) throws SQLException {
    try {
      return LocalTime.parse(text.trim());
    } catch (DateTimeParseException e) {
      throw SqlExceptions.of(ErrorCode.BAD_CAST, "'" + text + "' is not a time");
    }
  }

  public static LocalDateTime toDateTime(Rows rows, int column, ColumnType type)
      throws SQLException {
    return switch (type.kind()) {
      case TIMESTAMP -> ofMicros(rows.longAt(column));
      case TIMESTAMP_LTZ ->
          LocalDateTime.ofInstant(toInstant(rows, column, type), ZoneId.systemDefault());
      case DATE -> LocalDate.ofEpochDay(rows.longAt(column)).atStartOfDay();
      case CHAR, VARCHAR -> parseDateTime((String) rows.objectAt(column));
      default -> throw mismatch(type, "a timestamp");
    };
  }

  private static LocalDateTime parseDateTime(String text) throws SQLException {
    String iso = text.trim().replace(' ', 'T');
    try {
      return iso.indexOf('T') < 0 ? LocalDate.parse(iso).atStartOfDay() : LocalDateTime.parse(iso);
    } catch (DateTimeParseException e) {
      throw SqlExceptions.of(ErrorCode.BAD_CAST, "'" + text + "' is not a timestamp");
    }
  }

  private static LocalDateTime ofMicros(long micros) {
    long second = Math.floorDiv(micros, MICROS_PER_SECOND);
    return LocalDateTime.ofEpochSecond(
        second, (int) Math.floorMod(micros, MICROS_PER_SECOND) * 1000, ZoneOffset.UTC);
  }

  static Instant toInstant(Rows rows, int column, ColumnType type) throws SQLException {
    if (type.kind() == Kind.TIMESTAMP_LTZ) {
      long micros = rows.longAt(column);
      long second = Math.floorDiv(micros, MICROS_PER_SECOND);
      return Instant.ofEpochSecond(second, Math.floorMod(micros, MICROS_PER_SECOND) * 1000);
    }
    return toDateTime(rows, column, type).atZone(ZoneId.systemDefault()).toInstant();
  }

  public static Timestamp toTimestamp(Rows rows, int column, ColumnType type) throws SQLException {
    return type.kind() == Kind.TIMESTAMP_LTZ
        ? Timestamp.from(toInstant(rows, column, type))
        : Timestamp.valueOf(toDateTime(rows, column, type));
  }

  /** Converts to the default class of each type, for {@code getObject}. */
  public static Object toObject(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case BOOLEAN -> rows.longAt(column) != 0;
      case TINYINT, SMALLINT, INTEGER -> (int) rows.longAt(column);
      case BIGINT -> rows.longAt(column);
      case REAL -> (float) Double.longBitsToDouble(rows.longAt(column));
      case DOUBLE -> Double.longBitsToDouble(rows.longAt(column));
      case DECIMAL, NUMERIC -> toDecimal(rows, column, type);
      case DATE -> Date.valueOf(toDate(rows, column, type));
      case TIME -> Time.valueOf(toTime(rows, column, type));
      case TIMESTAMP, TIMESTAMP_LTZ -> toTimestamp(rows, column, type);
      case INTERVAL_MONTHS -> toPeriod(rows, column, type);
      case INTERVAL_MICROS -> toDuration(rows, column, type);
      default -> rows.objectAt(column);
    };
  }

  /** Converts to a given class, for {@code getObject}. */
  public static Object toObject(Rows rows, int column, ColumnType type, Class<?> wanted)
      throws SQLException {
    return switch (wanted.getName()) {
      case "java.lang.String" -> toText(rows, column, type);
      case "java.lang.Boolean" -> toBoolean(rows, column, type);
      case "java.lang.Byte" ->
          (byte) within(toLong(rows, column, type), Byte.MIN_VALUE, Byte.MAX_VALUE);
      case "java.lang.Short" ->
          (short) within(toLong(rows, column, type), Short.MIN_VALUE, Short.MAX_VALUE);
      case "java.lang.Integer" ->
          (int) within(toLong(rows, column, type), Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "java.lang.Long" -> toLong(rows, column, type);
      case "java.lang.Float" -> (float) toDouble(rows, column, type);
      case "java.lang.Double" -> toDouble(rows, column, type);
      case "java.math.BigDecimal" -> toDecimal(rows, column, type);
      case "java.math.BigInteger" -> DecimalRounding.truncate(toDecimal(rows, column, type));
      case "[B" -> toBytes(rows, column, type);
      default -> toDatetimeObject(rows, column, type, wanted);
    };
  }

  private static Object toDatetimeObject(Rows rows, int column, ColumnType type, Class<?> wanted)
      throws SQLException {
    return switch (wanted.getName()) {
      case "java.sql.Date" -> Date.valueOf(toDate(rows, column, type));
      case "java.sql.Time" -> Time.valueOf(toTime(rows, column, type));
      case "java.sql.Timestamp", "java.util.Date" -> toTimestamp(rows, column, type);
      case "java.time.LocalDate" -> toDate(rows, column, type);
      case "java.time.LocalTime" -> toTime(rows, column, type);
      case "java.time.LocalDateTime" -> toDateTime(rows, column, type);
      case "java.time.Instant" -> toInstant(rows, column, type);
      case "java.time.OffsetDateTime" ->
          OffsetDateTime.ofInstant(toInstant(rows, column, type), ZoneId.systemDefault());
      case "java.time.ZonedDateTime" ->
          ZonedDateTime.ofInstant(toInstant(rows, column, type), ZoneId.systemDefault());
      case "java.time.OffsetTime" -> toOffsetTime(rows, column, type);
      case "java.util.Calendar" ->
          GregorianCalendar.from(
              ZonedDateTime.ofInstant(toInstant(rows, column, type), ZoneId.systemDefault()));
      case "java.time.Period" -> toPeriod(rows, column, type);
      case "java.time.Duration" -> toDuration(rows, column, type);
      case "java.util.UUID" -> toUuid(rows, column, type);
      case "java.io.InputStream" -> new ByteArrayInputStream(toBytes(rows, column, type));
      case "java.io.Reader" -> new StringReader(toText(rows, column, type));
      case "java.sql.Blob" -> new MemoryBlob(toBytes(rows, column, type));
      case "java.sql.Clob", "java.sql.NClob" -> new MemoryClob(toText(rows, column, type));
      case "java.lang.Object" -> toObject(rows, column, type);
      default -> throw mismatch(type, wanted.getName());
    };
  }

  /**
   * Returns a time of day with the offset of the JVM's time zone at that timestamp, or today for a
   * TIME.
   */
  private static OffsetTime toOffsetTime(Rows rows, int column, ColumnType type)
      throws SQLException {
    LocalDateTime moment =
        type.kind() == Kind.TIMESTAMP || type.kind() == Kind.TIMESTAMP_LTZ
            ? toDateTime(rows, column, type)
            : LocalDate.now(ZoneId.systemDefault()).atTime(toTime(rows, column, type));
    return moment.atZone(ZoneId.systemDefault()).toOffsetDateTime().toOffsetTime();
  }

  private static Period toPeriod(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case INTERVAL_MONTHS -> period(rows.longAt(column));
      case INTERVAL_MICROS -> {
        Duration duration = toDuration(rows, column, type);
        if (!duration.equals(Duration.ofDays(duration.toDays()))) {
          throw mismatch(type, "a Period, as it has hours; request a Duration");
        }
        yield Period.ofDays((int) within(duration.toDays(), Integer.MIN_VALUE, Integer.MAX_VALUE));
      }
      case CHAR, VARCHAR -> period(parsedInterval(Kind.INTERVAL_MONTHS, rows, column));
      default -> throw mismatch(type, "a period");
    };
  }

  private static Period period(long months) throws SQLException {
    return Period.ofMonths((int) within(months, Integer.MIN_VALUE, Integer.MAX_VALUE)).normalized();
  }

  private static Duration toDuration(Rows rows, int column, ColumnType type) throws SQLException {
    return switch (type.kind()) {
      case INTERVAL_MICROS -> Duration.of(rows.longAt(column), ChronoUnit.MICROS);
      case CHAR, VARCHAR ->
          Duration.of(parsedInterval(Kind.INTERVAL_MICROS, rows, column), ChronoUnit.MICROS);
      default -> throw mismatch(type, "a duration");
    };
  }

  private static long parsedInterval(Kind kind, Rows rows, int column) throws SQLException {
    String text = (String) rows.objectAt(column);
    try {
      return IntervalText.parse(kind, text);
    } catch (NelumboException e) {
      throw SqlExceptions.of(ErrorCode.BAD_CAST, e.getMessage());
    }
  }

  private static UUID toUuid(Rows rows, int column, ColumnType type) throws SQLException {
    if (type.kind() == Kind.UUID) {
      return (UUID) rows.objectAt(column);
    } else if (type.kind().isBinary()) {
      byte[] bytes = (byte[]) rows.objectAt(column);
      if (bytes.length == Uuids.BYTES) {
        return Uuids.of(bytes);
      }
      throw SqlExceptions.of(
          ErrorCode.BAD_CAST, bytes.length + " bytes are not a UUID, which has 16");
    }
    String text = toText(rows, column, type).trim();
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw SqlExceptions.of(ErrorCode.BAD_CAST, "'" + text + "' is not a UUID");
    }
  }

  public static long within(long value, long least, long most) throws SQLException {
    if (value < least || value > most) {
      throw outOfRange(Long.toString(value));
    }
    return value;
  }
}
