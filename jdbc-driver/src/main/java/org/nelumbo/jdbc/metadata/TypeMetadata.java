package org.nelumbo.jdbc.metadata;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.jdbc.value.JdbcTypes;
import org.nelumbo.jdbc.value.SqlExceptions;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;
import org.nelumbo.types.Kind;

/** Metadata result about the SQL data types. */
final class TypeMetadata {
  private TypeMetadata() {}

  /** Returns the result of {@code DatabaseMetaData.getTypeInfo}. */
  static ResultSet typeInfo() throws SQLException {
    try {
      return types();
    } catch (Throwable e) {
      throw SqlExceptions.unexpected(e);
    }
  }

  private static ResultSet types() throws SQLException {
    MetadataResultBuilder rows =
        MetadataResultBuilder.of(
            "TYPE_NAME DATA_TYPE# PRECISION# LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS NULLABLE%"
                + " CASE_SENSITIVE? SEARCHABLE% UNSIGNED_ATTRIBUTE? FIXED_PREC_SCALE?"
                + " AUTO_INCREMENT? LOCAL_TYPE_NAME MINIMUM_SCALE% MAXIMUM_SCALE% SQL_DATA_TYPE#"
                + " SQL_DATETIME_SUB# NUM_PREC_RADIX#");
    for (Kind kind : Kind.values()) {
      ColumnType type =
          kind == Kind.DECIMAL
              ? ColumnType.decimal(ColumnType.MAX_DECIMAL_PRECISION, 0)
              : ColumnType.of(kind);
      addType(rows, kind, type);
    }
    return rows.sort(1).build();
  }

  private static void addType(MetadataResultBuilder rows, Kind kind, ColumnType type) {
    rows.add(
        JdbcTypes.name(type),
        JdbcTypes.code(type),
        kind == Kind.NUMERIC ? 2 * Decimals.NUMERIC_DIGITS : JdbcTypes.precision(type),
        literalPrefix(kind),
        literalSuffix(kind),
        createParameters(kind),
        DatabaseMetaData.typeNullable,
        kind.isCharacter(),
        DatabaseMetaData.typeSearchable,
        !kind.isNumeric(),
        false,
        kind.isInteger(),
        null,
        0,
        greatestScale(kind, type),
        null,
        null,
        kind.isNumeric() ? (Object) 10 : null);
  }

  private static int greatestScale(Kind kind, ColumnType type) {
    return switch (kind) {
      case DECIMAL -> ColumnType.MAX_DECIMAL_PRECISION;
      case NUMERIC -> Decimals.NUMERIC_DIGITS;
      default -> JdbcTypes.scale(type);
    };
  }

  private static String literalPrefix(Kind kind) {
    return switch (kind) {
      case CHAR, VARCHAR -> "'";
      case BINARY, VARBINARY -> "X'";
      case UUID -> "UUID '";
      case DATE -> "DATE '";
      case TIME -> "TIME '";
      case TIMESTAMP -> "TIMESTAMP '";
      case TIMESTAMP_LTZ -> "TIMESTAMP WITH TIME ZONE '";
      case INTERVAL_MONTHS, INTERVAL_MICROS -> "INTERVAL '";
      default -> null;
    };
  }

  private static String literalSuffix(Kind kind) {
    return switch (kind) {
      case INTERVAL_MONTHS -> "' YEAR TO MONTH";
      case INTERVAL_MICROS -> "' DAY TO SECOND";
      default -> literalPrefix(kind) == null ? null : "'";
    };
  }

  private static String createParameters(Kind kind) {
    return switch (kind) {
      case CHAR, VARCHAR, BINARY, VARBINARY -> "length";
      case DECIMAL -> "precision,scale";
      case TIME, TIMESTAMP, TIMESTAMP_LTZ -> "precision";
      default -> null;
    };
  }
}
