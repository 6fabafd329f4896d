package org.nelumbo.types;

import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * The type of a column or expression.
 *
 * @param precision DECIMAL: digits, 1 to 38; CHAR, VARCHAR: characters; BINARY, VARBINARY: bytes;
 *     TIME, TIMESTAMP: fractional digits, 0 to 6; {@link #UNLIMITED} for a string of any length;
 *     otherwise 0
 * @param scale DECIMAL: digits after the decimal point, 0 to precision; otherwise 0
 * @param nullable true if a value of the type can be NULL
 */
public record ColumnType(Kind kind, int precision, int scale, boolean nullable) {
  /** Maximum precision of DECIMAL. */
  public static final int MAX_DECIMAL_PRECISION = 38;

  /** Maximum precision of a DECIMAL whose raw value is a {@code long}. */
  public static final int MAX_LONG_PRECISION = 18;

  /** Precision of strings without a declared maximum length. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  public ColumnType {
    if (kind == Kind.DECIMAL
        && (precision < 1 || precision > MAX_DECIMAL_PRECISION || scale < 0 || scale > precision)) {
      throw new IllegalArgumentException("bad DECIMAL precision=" + precision + " scale=" + scale);
    }
    if (precision < 0) {
      throw new IllegalArgumentException("bad precision=" + precision);
    }
  }

  /**
   * Returns the type of a kind, without precision or with the maximum one (for DECIMAL: {@link
   * #MAX_LONG_PRECISION}), not nullable.
   */
  public static ColumnType of(Kind kind) {
    return switch (kind) {
      case CHAR, VARCHAR, BINARY, VARBINARY -> new ColumnType(kind, UNLIMITED, 0, false);
      case DECIMAL -> new ColumnType(kind, MAX_LONG_PRECISION, 0, false);
      case TIME, TIMESTAMP, TIMESTAMP_LTZ -> new ColumnType(kind, 6, 0, false);
      default -> new ColumnType(kind, 0, 0, false);
    };
  }

  /** Returns a type with a precision, not nullable. */
  public static ColumnType of(Kind kind, int precision) {
    return new ColumnType(kind, precision, 0, false);
  }

  /** Returns DECIMAL(precision, scale), not nullable. */
  public static ColumnType decimal(int precision, int scale) {
    return new ColumnType(Kind.DECIMAL, precision, scale, false);
  }

  /** Returns this type with the given nullability. */
  public ColumnType withNullable(boolean isNullable) {
    return isNullable == nullable ? this : new ColumnType(kind, precision, scale, isNullable);
  }

  /** Returns this type, nullable. */
  public ColumnType orNull() {
    return withNullable(true);
  }

  /**
   * Returns true if the raw value is a {@code long}, false if it is an object; see {@link Kind}.
   */
  public boolean isLong() {
    return switch (kind) {
      case CHAR, VARCHAR, BINARY, VARBINARY, NUMERIC, UUID -> false;
      case DECIMAL -> precision <= MAX_LONG_PRECISION;
      default -> true;
    };
  }

  /**
   * Returns the number of bytes of a value in a key or in the fixed part of a row, or 0 if the
   * width varies.
   */
  public int fixedWidth() {
    return switch (kind) {
      case BOOLEAN, TINYINT -> 1;
      case SMALLINT -> 2;
      case INTEGER, REAL, DATE -> 4;
      case DECIMAL -> decimalWidth();
      case CHAR, VARCHAR, BINARY, VARBINARY, NUMERIC -> 0;
      case UUID -> Uuids.BYTES;
      default -> 8;
    };
  }

  /** Returns the maximum number of bytes of a value in a row. */
  public long mostBytes() {
    return switch (kind) {
      case CHAR, VARCHAR -> 4L * precision;
      case BINARY, VARBINARY -> precision;
      case NUMERIC -> Decimals.NUMERIC_BYTES;
      default -> fixedWidth();
    };
  }

  private int decimalWidth() {
    if (precision <= 2) {
      return 1;
    } else if (precision <= 4) {
      return 2;
    } else if (precision <= 9) {
      return 4;
    }
    return precision <= MAX_LONG_PRECISION ? 8 : 16;
  }

  /** Returns the SQL name of the type without nullability, such as {@code DECIMAL(12, 2)}. */
  public String sqlName() {
    String name = kind.sqlName();
    if (kind == Kind.DECIMAL) {
      return name + "(" + precision + ", " + scale + ")";
    }
    boolean hasLength = kind.isCharacter() || kind.isBinary();
    return hasLength && precision != UNLIMITED ? name + "(" + precision + ")" : name;
  }

  /** Returns the BAD_CAST error for a text that is not a value of this type. */
  public NelumboException cannotCast(String text) {
    return new NelumboException(ErrorCode.BAD_CAST, "cannot cast '" + text + "' to " + sqlName());
  }
}
