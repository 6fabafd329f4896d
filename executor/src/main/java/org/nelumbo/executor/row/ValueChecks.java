package org.nelumbo.executor.row;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.UUID;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Checks values to be stored in the columns of a table; the error messages name the column. */
final class ValueChecks {
  private static final int SHOWN_CHARS = 40;

  private final TableSchema schema;
  private final ColumnType[] types;

  ValueChecks(TableSchema schema) {
    this.schema = schema;
    this.types = new ColumnType[schema.columnCount()];
    for (int i = 0; i < types.length; i++) {
      types[i] = schema.column(i).type();
    }
  }

  void checkNullable(int column) {
    if (!types[column].nullable()) {
      throw new NelumboException(
          ErrorCode.NOT_NULL_VIOLATION, "NULL not allowed in column " + name(column));
    }
  }

  void checkSet(int column, boolean isSet) {
    if (!isSet) {
      checkNullable(column);
    }
  }

  void check(int column, long raw) {
    if (!Ranges.fits(types[column], raw)) {
      throw outOfRange(column, show(types[column], raw));
    }
  }

  private static String show(ColumnType type, long raw) {
    return type.kind() == Kind.DECIMAL
        ? BigDecimal.valueOf(raw, type.scale()).toPlainString()
        : Long.toString(raw);
  }

  private NelumboException outOfRange(int column, String value) {
    return new NelumboException(
        ErrorCode.NUMBER_OUT_OF_RANGE,
        "value out of range for column " + nameAndType(column) + " value=" + value);
  }

  /**
   * Returns the value to store: the given one, or a text without excess trailing blanks, or a
   * padded BINARY.
   */
  Object check(int column, Object raw) {
    ColumnType type = types[column];
    switch (raw) {
      case String text -> {
        return text.length() <= type.precision() ? text : checkText(column, type, text);
      }
      case byte[] bytes -> {
        if (bytes.length > type.precision()) {
          throw tooLong(column, bytes.length, "X'...'");
        }
        if (type.kind() == Kind.BINARY && type.precision() != ColumnType.UNLIMITED) {
          return Arrays.copyOf(bytes, type.precision());
        }
      }
      case BigDecimal decimal -> {
        if (!Ranges.fits(type, decimal)) {
          throw outOfRange(column, decimal.toPlainString());
        }
      }
      case UUID _ -> {
        // every UUID is valid
      }
      default -> throw new IllegalArgumentException("no raw value class=" + raw.getClass());
    }
    return raw;
  }

  private String checkText(int column, ColumnType type, String text) {
    int most = type.precision();
    int points = text.codePointCount(0, text.length());
    if (points <= most) {
      return text;
    }
    int trimmed = Utf8.trimmedLength(text);
    if (text.codePointCount(0, trimmed) > most) {
      throw tooLong(column, points, "'" + shorten(text) + "'");
    }
    return text.substring(0, text.offsetByCodePoints(0, most));
  }

  private static String shorten(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
  }

  private NelumboException tooLong(int column, int length, String shown) {
    return new NelumboException(
        ErrorCode.STRING_TOO_LONG,
        "value too long for column "
            + nameAndType(column)
            + " length="
            + length
            + " value="
            + shown);
  }

  void checkRowLength(int length) {
    if (length > RowLayout.MAX_ROW_BYTES) {
      throw new NelumboException(
          ErrorCode.LIMIT_EXCEEDED,
          "row too long table="
              + schema.name()
              + " bytes="
              + length
              + " limit="
              + RowLayout.MAX_ROW_BYTES);
    }
  }

  private String name(int column) {
    return schema.name() + "." + schema.column(column).name();
  }

  private String nameAndType(int column) {
    return name(column) + " " + types[column].sqlName();
  }
}
