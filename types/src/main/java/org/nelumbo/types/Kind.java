package org.nelumbo.types;

/**
 * The kinds of SQL types, and what a raw value of each is.
 *
 * <ul>
 *   <li>{@code long}: BOOLEAN 0 or 1; TINYINT to BIGINT the number; REAL and DOUBLE {@link
 *       Double#doubleToRawLongBits} of the (for REAL: rounded to float) value; DECIMAL of precision
 *       up to 18 the unscaled value; DATE days since 1970-01-01; TIME microseconds of the day;
 *       TIMESTAMP microseconds since 1970-01-01 00:00:00 on the local time line; TIMESTAMP_LTZ
 *       microseconds since the epoch; the intervals months and microseconds.
 *   <li>objects: CHAR and VARCHAR {@link String}; BINARY and VARBINARY {@code byte[]}; DECIMAL of
 *       precision above 18 {@link java.math.BigDecimal} of the type's scale; NUMERIC, which has no
 *       bounds, a BigDecimal as {@link Decimals#toNumeric} makes it, so that equal values are equal
 *       objects; UUID {@link java.util.UUID}.
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

  /** TINYINT, SMALLINT, INTEGER or BIGINT. */
  public boolean isInteger() {
    return ordinal() >= TINYINT.ordinal() && ordinal() <= BIGINT.ordinal();
  }

  /** REAL or DOUBLE. */
  public boolean isFloating() {
    return this == REAL || this == DOUBLE;
  }

  /** DECIMAL or NUMERIC. */
  public boolean isDecimal() {
    return this == DECIMAL || this == NUMERIC;
  }

  /** Integer, DECIMAL, NUMERIC, REAL or DOUBLE. */
  public boolean isNumeric() {
    return ordinal() >= TINYINT.ordinal() && ordinal() <= NUMERIC.ordinal();
  }

  /** Integer, DECIMAL or NUMERIC. */
  public boolean isExact() {
    return isInteger() || isDecimal();
  }

  /** CHAR or VARCHAR. */
  public boolean isCharacter() {
    return this == CHAR || this == VARCHAR;
  }

  /** BINARY or VARBINARY. */
  public boolean isBinary() {
    return this == BINARY || this == VARBINARY;
  }

  /** DATE, TIME, TIMESTAMP or TIMESTAMP_LTZ. */
  public boolean isDatetime() {
    return ordinal() >= DATE.ordinal() && ordinal() <= TIMESTAMP_LTZ.ordinal();
  }

  /** INTERVAL_MONTHS or INTERVAL_MICROS. */
  public boolean isInterval() {
    return this == INTERVAL_MONTHS || this == INTERVAL_MICROS;
  }

  /** The name that SQL has for the type, without precision. */
  public String sqlName() {
    return switch (this) {
      case TIMESTAMP_LTZ -> "TIMESTAMP WITH TIME ZONE";
      case INTERVAL_MONTHS -> "INTERVAL YEAR TO MONTH";
      case INTERVAL_MICROS -> "INTERVAL DAY TO SECOND";
      default -> name();
    };
  }
}
