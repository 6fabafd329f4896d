package org.nelumbo.jdbc.value;

import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Period;
import java.util.UUID;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;

/** Maps {@link ColumnType} to the types of {@code java.sql}. */
public final class JdbcTypes {
  private JdbcTypes() {}

  public static int code(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> Types.BOOLEAN;
      case TINYINT -> Types.TINYINT;
      case SMALLINT -> Types.SMALLINT;
      case INTEGER -> Types.INTEGER;
      case BIGINT -> Types.BIGINT;
      case REAL -> Types.REAL;
      case DOUBLE -> Types.DOUBLE;
      case DECIMAL -> Types.DECIMAL;
      case NUMERIC -> Types.NUMERIC;
      case CHAR -> Types.CHAR;
      case VARCHAR -> Types.VARCHAR;
      case BINARY -> Types.BINARY;
      case VARBINARY -> Types.VARBINARY;
      case DATE -> Types.DATE;
      case TIME -> Types.TIME;
      case TIMESTAMP -> Types.TIMESTAMP;
      case TIMESTAMP_LTZ -> Types.TIMESTAMP_WITH_TIMEZONE;
      default -> Types.OTHER;
    };
  }

  /** Returns the SQL name without precision. */
  public static String name(ColumnType type) {
    return type.kind().sqlName();
  }

  public static String className(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.class.getName();
      case TINYINT, SMALLINT, INTEGER -> Integer.class.getName();
      case BIGINT -> Long.class.getName();
      case REAL -> Float.class.getName();
      case DOUBLE -> Double.class.getName();
      case DECIMAL, NUMERIC -> BigDecimal.class.getName();
      case BINARY, VARBINARY -> "[B";
      case UUID -> UUID.class.getName();
      case DATE -> Date.class.getName();
      case TIME -> Time.class.getName();
      case TIMESTAMP, TIMESTAMP_LTZ -> Timestamp.class.getName();
      case INTERVAL_MONTHS -> Period.class.getName();
      case INTERVAL_MICROS -> Duration.class.getName();
      default -> String.class.getName();
    };
  }

  /** Returns the precision in digits, characters or bytes; 0 for NUMERIC, which has none. */
  public static int precision(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> 1;
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case REAL -> 7;
      case DOUBLE -> 15;
      case UUID -> 16;
      case DATE -> 10;
      case TIME -> 8 + fraction(type);
      case TIMESTAMP -> 19 + fraction(type);
      case TIMESTAMP_LTZ -> 25 + fraction(type);
      case INTERVAL_MONTHS -> 20;
      case INTERVAL_MICROS -> 32;
      default -> type.precision();
    };
  }

  private static int fraction(ColumnType type) {
    return type.precision() == 0 ? 0 : 1 + type.precision();
  }

  public static int scale(ColumnType type) {
    return switch (type.kind()) {
      case DECIMAL -> type.scale();
      case TIME, TIMESTAMP, TIMESTAMP_LTZ -> type.precision();
      case INTERVAL_MICROS -> 6;
      default -> 0;
    };
  }

  /** Returns the maximum number of characters of a value as text. */
  public static int displaySize(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> 5;
      case TINYINT -> 4;
      case SMALLINT -> 6;
      case INTEGER -> 11;
      case BIGINT -> 20;
      case REAL -> 15;
      case DOUBLE -> 24;
      case DECIMAL -> type.precision() + 2;
      case INTERVAL_MONTHS -> 34;
      case INTERVAL_MICROS -> 32;
      case NUMERIC -> 2 * Decimals.NUMERIC_DIGITS + 2;
      case UUID -> 36;
      case BINARY, VARBINARY ->
          type.precision() > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : 2 * type.precision();
      default -> precision(type);
    };
  }

  public static boolean isSigned(ColumnType type) {
    return type.kind().isNumeric();
  }
}
