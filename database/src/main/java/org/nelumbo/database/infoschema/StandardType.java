package org.nelumbo.database.infoschema;

import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * A data type in the terms of the standard's views. A component is null if the type does not have
 * the property, or has no limit.
 *
 * @param name name of the type, without lengths
 * @param characters maximum length of a text or of bytes
 * @param octets maximum length in bytes
 * @param precision digits of a number
 * @param radix radix of the digits: 2 or 10
 * @param scale digits after the point
 * @param seconds digits of the fraction of a second
 * @param fields unit of an interval
 */
record StandardType(
    String name,
    Long characters,
    Long octets,
    Integer precision,
    Integer radix,
    Integer scale,
    Integer seconds,
    String fields) {
  private static final int MOST_BYTES_OF_CHARACTER = 4;

  static StandardType of(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> plain("BOOLEAN");
      case UUID -> plain("UUID");
      case TINYINT -> number("TINYINT", Byte.SIZE, 2, 0);
      case SMALLINT -> number("SMALLINT", Short.SIZE, 2, 0);
      case INTEGER -> number("INTEGER", Integer.SIZE, 2, 0);
      case BIGINT -> number("BIGINT", Long.SIZE, 2, 0);
      case REAL -> number("REAL", 24, 2, null);
      case DOUBLE -> number("DOUBLE PRECISION", 53, 2, null);
      case DECIMAL -> number("DECIMAL", type.precision(), 10, type.scale());
      case NUMERIC -> number("NUMERIC", null, 10, null);
      case CHAR -> text("CHARACTER", type, MOST_BYTES_OF_CHARACTER);
      case VARCHAR -> text("CHARACTER VARYING", type, MOST_BYTES_OF_CHARACTER);
      case BINARY -> text("BINARY", type, 1);
      case VARBINARY -> text("BINARY VARYING", type, 1);
      case DATE -> time("DATE", 0);
      case TIME, TIMESTAMP, TIMESTAMP_LTZ -> time(type.kind().sqlName(), type.precision());
      case INTERVAL_MONTHS -> interval("YEAR TO MONTH", 0);
      case INTERVAL_MICROS -> interval("DAY TO SECOND", 6);
    };
  }

  private static StandardType plain(String name) {
    return new StandardType(name, null, null, null, null, null, null, null);
  }

  private static StandardType number(String name, Integer precision, int radix, Integer scale) {
    return new StandardType(name, null, null, precision, radix, scale, null, null);
  }

  private static StandardType text(String name, ColumnType type, int mostBytes) {
    boolean bounded = type.precision() != ColumnType.UNLIMITED;
    Long length = bounded ? (Long) (long) type.precision() : null;
    Long octets = bounded ? (Long) ((long) type.precision() * mostBytes) : null;
    return new StandardType(name, length, octets, null, null, null, null, null);
  }

  private static StandardType time(String name, int seconds) {
    return new StandardType(name, null, null, null, null, null, seconds, null);
  }

  private static StandardType interval(String fields, int seconds) {
    return new StandardType("INTERVAL", null, null, null, null, null, seconds, fields);
  }

  /** Returns the maximum value of an integer type; the minimum value is its complement. */
  static long greatest(Kind kind) {
    return switch (kind) {
      case TINYINT -> Byte.MAX_VALUE;
      case SMALLINT -> Short.MAX_VALUE;
      case INTEGER -> Integer.MAX_VALUE;
      default -> Long.MAX_VALUE;
    };
  }
}
