package org.nelumbo.jdbc.value;

import java.sql.SQLException;
import java.sql.Types;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.nelumbo.types.ParameterSet;

/** Converts values to the target SQL types of {@code setObject}. */
public final class TargetTypes {
  private static final int MICROSECONDS = 6;

  private TargetTypes() {}

  /**
   * Converts a value to a type of {@code java.sql.Types}. Returns it unchanged if it already has
   * that type, or if the type implies no conversion, such as the types of large objects. Numbers
   * are rounded if the target is an integer type.
   *
   * @throws SQLException 22018, 22003, 22007 if the conversion fails, 0A000 if the type is not
   *     supported
   */
  public static Object convert(Object value, int code) throws SQLException {
    ColumnType target = type(code);
    if (value == null || target == null || isOf(ValueTypes.of(value).kind(), target.kind())) {
      return value;
    }
    ParameterSet converted = new ParameterSet(1);
    ParameterInfo parameter = new ParameterInfo(target, true, false);
    if (!ParameterConverter.setObject(converted, 0, parameter, value)) {
      throw SqlExceptions.of(
          ErrorCode.BAD_CAST, "the value cannot be converted to " + target.sqlName());
    }
    if (!converted.isLong(0)) {
      return converted.objectAt(0);
    }
    long raw = converted.longAt(0);
    boolean isShort = target.kind().isInteger() && target.kind() != Kind.BIGINT;
    return isShort ? (Object) (int) raw : ValueTypes.object(target, raw);
  }

  private static boolean isOf(Kind kind, Kind target) {
    return kind == target
        || kind.isInteger() && target.isInteger()
        || kind == Kind.DECIMAL && target == Kind.NUMERIC;
  }

  private static ColumnType type(int code) throws SQLException {
    return switch (code) {
      case Types.BIT, Types.BOOLEAN -> ColumnType.of(Kind.BOOLEAN);
      case Types.TINYINT -> ColumnType.of(Kind.TINYINT);
      case Types.SMALLINT -> ColumnType.of(Kind.SMALLINT);
      case Types.INTEGER -> ColumnType.of(Kind.INTEGER);
      case Types.BIGINT -> ColumnType.of(Kind.BIGINT);
      case Types.REAL, Types.FLOAT, Types.DOUBLE -> ColumnType.of(Kind.DOUBLE);
      case Types.DECIMAL, Types.NUMERIC -> ColumnType.of(Kind.NUMERIC);
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR ->
          new ColumnType(Kind.VARCHAR, ColumnType.UNLIMITED, 0, true);
      case Types.DATE -> ColumnType.of(Kind.DATE);
      case Types.TIME -> new ColumnType(Kind.TIME, MICROSECONDS, 0, true);
      case Types.TIMESTAMP -> new ColumnType(Kind.TIMESTAMP, MICROSECONDS, 0, true);
      case Types.ARRAY -> throw SqlExceptions.unsupported("ARRAY");
      case Types.STRUCT, Types.DISTINCT -> throw SqlExceptions.unsupported("a structured type");
      case Types.REF, Types.REF_CURSOR -> throw SqlExceptions.unsupported("REF");
      case Types.ROWID -> throw SqlExceptions.unsupported("ROWID");
      case Types.SQLXML -> throw SqlExceptions.unsupported("XML");
      case Types.DATALINK -> throw SqlExceptions.unsupported("DATALINK");
      default -> null;
    };
  }
}
