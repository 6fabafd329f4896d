package org.nelumbo.types;

/**
 * The kinds of SQL types. A value is represented by its <em>raw value</em>, a {@code long} or an
 * object, depending on the kind:
 *
 * <ul>
 *   <li>{@code long}: BOOLEAN 0 or 1; TINYINT to BIGINT the number; REAL and DOUBLE {@link
 *       Double#doubleToRawLongBits} of the value (for REAL rounded to float); DECIMAL with a
 *       precision of up to 18 the unscaled value; DATE days since 1970-01-01; TIME microseconds of
 *       the day; TIMESTAMP microseconds since 1970-01-01 00:00:00 on the local time line;
 *       TIMESTAMP_LTZ microseconds since the epoch; the intervals months and microseconds.
 *   <li>Objects: CHAR and VARCHAR {@link String}; BINARY and VARBINARY {@code byte[]}; DECIMAL with
 *       a precision above 18 {@link java.math.BigDecimal} with the scale of the type; NUMERIC,
 *       which has no declared precision, a BigDecimal in the canonical form of {@link
 *       Decimals#toNumeric}, so that equal values are equal objects; UUID {@link java.util.UUID}.
 * </ul>
 */
public enum Kind {
  BOOLEAN,
  TINYINT,
  SMALLINT,
  INTEGER,
  BIGINT,
  REAL,
  DOUBLE,
  DECIMAL,
  NUMERIC,
  CHAR,
  VARCHAR,
  BINARY,
  VARBINARY,
  UUID,
  DATE,
  TIME,
  TIMESTAMP,
  TIMESTAMP_LTZ,
  INTERVAL_MONTHS,
  INTERVAL_MICROS;

  /** Returns true for TINYINT, SMALLINT, INTEGER and BIGINT. */
  public boolean isInteger() {
    return ordinal() >= TINYINT.ordinal() && ordinal() <= BIGINT.ordinal();
  }

  /** Returns true for REAL and DOUBLE. */
  public boolean isFloating() {
    return this == REAL || this == DOUBLE;
  }

  /** Returns true for DECIMAL and NUMERIC. */
  public boolean isDecimal() {
    return this == DECIMAL || this == NUMERIC;
  }

  /** Returns true for integers, REAL, DOUBLE, DECIMAL and NUMERIC. */
  public boolean isNumeric() {
    return ordinal() >= TINYINT.ordinal() && ordinal() <= NUMERIC.ordinal();
  }

  /** Returns true for integers, DECIMAL and NUMERIC. */
  public boolean isExact() {
    return isInteger() || isDecimal();
  }

  /** Returns true for CHAR and VARCHAR. */
  public boolean isCharacter() {
    return this == CHAR || this == VARCHAR;
  }

  /** Returns true for BINARY and VARBINARY. */
  public boolean isBinary() {
    return this == BINARY || this == VARBINARY;
  }

  /** Returns true for DATE, TIME, TIMESTAMP and TIMESTAMP_LTZ. */
  public boolean isDatetime() {
    return ordinal() >= DATE.ordinal() && ordinal() <= TIMESTAMP_LTZ.ordinal();
  }

  /** Returns true for INTERVAL_MONTHS and INTERVAL_MICROS. */
  public boolean isInterval() {
    return this == INTERVAL_MONTHS || this == INTERVAL_MICROS;
  }

  /** Returns the SQL name of the type, without precision. */
  public String sqlName() {
    return switch (this) {
      case TIMESTAMP_LTZ -> "TIMESTAMP WITH TIME ZONE";
      case INTERVAL_MONTHS -> "INTERVAL YEAR TO MONTH";
      case INTERVAL_MICROS -> "INTERVAL DAY TO SECOND";
      default -> name();
    };
  }
}
