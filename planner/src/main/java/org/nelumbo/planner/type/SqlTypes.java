package org.nelumbo.planner.type;

import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Converts between Calcite's types and Nelumbo's. */
public final class SqlTypes {
  private SqlTypes() {}

  /** Returns true if the fields of two row types have equal types, regardless of their names. */
  public static boolean areEqual(RelDataType left, RelDataType right) {
    for (int i = 0; i < left.getFieldCount(); i++) {
      RelDataType type = left.getFieldList().get(i).getType();
      if (!type.equals(right.getFieldList().get(i).getType())) {
        return false;
      }
    }
    return left.getFieldCount() == right.getFieldCount();
  }

  /**
   * Converts a Calcite type to a column type; the type of a bare NULL becomes VARCHAR.
   *
   * @throws NelumboException 0A000 if there is no equivalent
   */
  public static ColumnType toColumnType(RelDataType type) {
    boolean nullable = type.isNullable();
    SqlTypeName name = type.getSqlTypeName();
    return switch (name) {
      case DECIMAL -> decimal(type);
      case CHAR, VARCHAR, BINARY, VARBINARY ->
          new ColumnType(kind(name), length(type), 0, nullable);
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          new ColumnType(kind(name), Math.max(0, type.getPrecision()), 0, nullable);
      case NULL -> new ColumnType(Kind.VARCHAR, ColumnType.UNLIMITED, 0, true);
      default -> new ColumnType(kind(type), 0, 0, nullable);
    };
  }

  private static ColumnType decimal(RelDataType type) {
    if (NelumboTypeFactory.isNumeric(type)) {
      return ColumnType.of(Kind.NUMERIC).withNullable(type.isNullable());
    }
    int precision = Math.clamp(type.getPrecision(), 1, ColumnType.MAX_DECIMAL_PRECISION);
    int scale = Math.clamp(type.getScale(), 0, precision);
    return new ColumnType(Kind.DECIMAL, precision, scale, type.isNullable());
  }

  private static int length(RelDataType type) {
    int precision = type.getPrecision();
    return precision == RelDataType.PRECISION_NOT_SPECIFIED
            || precision >= NelumboTypeSystem.MAX_STRING_LENGTH
        ? ColumnType.UNLIMITED
        : precision;
  }

  private static Kind kind(RelDataType type) {
    if (SqlTypeName.YEAR_INTERVAL_TYPES.contains(type.getSqlTypeName())) {
      return Kind.INTERVAL_MONTHS;
    }
    if (SqlTypeName.DAY_INTERVAL_TYPES.contains(type.getSqlTypeName())) {
      return Kind.INTERVAL_MICROS;
    }
    return kind(type.getSqlTypeName());
  }

  private static Kind kind(SqlTypeName name) {
    return switch (name) {
      case BOOLEAN -> Kind.BOOLEAN;
      case TINYINT -> Kind.TINYINT;
      case SMALLINT -> Kind.SMALLINT;
      case INTEGER -> Kind.INTEGER;
      case BIGINT -> Kind.BIGINT;
      case REAL -> Kind.REAL;
      case FLOAT, DOUBLE -> Kind.DOUBLE;
      case CHAR -> Kind.CHAR;
      case VARCHAR, SYMBOL -> Kind.VARCHAR;
      case BINARY -> Kind.BINARY;
      case VARBINARY -> Kind.VARBINARY;
      case UUID -> Kind.UUID;
      case DATE -> Kind.DATE;
      case TIME -> Kind.TIME;
      case TIMESTAMP -> Kind.TIMESTAMP;
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Kind.TIMESTAMP_LTZ;
      case TIME_TZ, TIME_WITH_LOCAL_TIME_ZONE ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED,
              "TIME WITH TIME ZONE is not supported, as the offset of a zone depends on the day;"
                  + " use TIME, or TIMESTAMP WITH TIME ZONE");
      default ->
          throw new NelumboException(
              ErrorCode.UNSUPPORTED, "Type " + name.getName() + " is not supported.");
    };
  }

  /** Converts a column type to a Calcite type. */
  public static RelDataType toRelType(RelDataTypeFactory factory, ColumnType type) {
    RelDataType plain =
        type.kind().isInterval()
            ? factory.createSqlIntervalType(fields(type.kind()))
            : basic(factory, type);
    return factory.createTypeWithNullability(plain, type.nullable());
  }

  private static SqlIntervalQualifier fields(Kind kind) {
    return kind == Kind.INTERVAL_MONTHS
        ? new SqlIntervalQualifier(TimeUnit.YEAR, TimeUnit.MONTH, SqlParserPos.ZERO)
        : new SqlIntervalQualifier(TimeUnit.DAY, TimeUnit.SECOND, SqlParserPos.ZERO);
  }

  private static RelDataType basic(RelDataTypeFactory factory, ColumnType type) {
    SqlTypeName name = typeName(type.kind());
    return switch (type.kind()) {
      case DECIMAL -> factory.createSqlType(name, type.precision(), type.scale());
      case NUMERIC -> NelumboTypeFactory.numeric(factory);
      case CHAR, VARCHAR, BINARY, VARBINARY ->
          type.precision() == ColumnType.UNLIMITED
              ? factory.createSqlType(name, NelumboTypeSystem.MAX_STRING_LENGTH)
              : factory.createSqlType(name, type.precision());
      case TIME, TIMESTAMP, TIMESTAMP_LTZ -> factory.createSqlType(name, type.precision());
      default -> factory.createSqlType(name);
    };
  }

  private static SqlTypeName typeName(Kind kind) {
    return switch (kind) {
      case NUMERIC -> SqlTypeName.DECIMAL;
      case TIMESTAMP_LTZ -> SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
      default -> SqlTypeName.valueOf(kind.name());
    };
  }
}
