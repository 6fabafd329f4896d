package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.NelumboTypeSystem;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.session.ParameterInfo;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * The types of parameter markers.
 *
 * <p>A type that is inferred from the other side of a comparison is widened, so that no supplied
 * value is truncated. A marker compared with DECIMAL(12, 2) accepts 1.005, one compared with an
 * INTEGER any long, one compared with a DATE a timestamp; strings have no limit. A marker that is
 * stored has the type of the column. If a supplied value does not fit, its own type is used.
 */
public final class ParameterTypes {
  private static final int COMPARED_SCALE = 12;

  private final List<ParameterInfo> parameters = new ArrayList<>();

  private final GivenTypes given;

  public ParameterTypes(GivenTypes given) {
    this.given = given;
  }

  /** Returns the type of the supplied value of a parameter, or null if it is to be inferred. */
  public RelDataType given(RelDataTypeFactory factory, int index) {
    ColumnType type = given.get(index);
    return type == null ? null : SqlTypes.toRelType(factory, type.orNull());
  }

  public GivenTypes given() {
    return given;
  }

  /** Returns true if a parameter has a type. */
  boolean isRecorded(int index) {
    return index < parameters.size() && parameters.get(index) != null;
  }

  /** Returns the type of a recorded parameter. */
  RelDataType recorded(RelDataTypeFactory factory, int index) {
    ParameterInfo info = parameters.get(index);
    return given.untyped() && info.open() && given.get(index) == null
        ? factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.NULL), true)
        : SqlTypes.toRelType(factory, info.type());
  }

  /**
   * Returns the type of a marker that is compared with a value.
   *
   * @param kind the kind of the comparison
   */
  public static RelDataType compared(RelDataTypeFactory factory, RelDataType value, SqlKind kind) {
    return widen(factory, value, kind);
  }

  /** Returns the type of a marker that is stored in a column. */
  public static RelDataType stored(RelDataTypeFactory factory, RelDataType column) {
    return widen(factory, column, null);
  }

  /**
   * Returns the widened type of a marker.
   *
   * @param context the kind of call that contains the marker; null if the marker is stored
   */
  static RelDataType widen(RelDataTypeFactory factory, RelDataType inferred, SqlKind context) {
    SqlTypeName name = inferred.getSqlTypeName();
    if (context == SqlKind.CASE) {
      return inferred; // the type of the whole was inferred from this one
    } else if (name == SqlTypeName.CHAR || name == SqlTypeName.VARCHAR) {
      return factory.createSqlType(SqlTypeName.VARCHAR, NelumboTypeSystem.MAX_STRING_LENGTH);
    } else if (name == SqlTypeName.BINARY || name == SqlTypeName.VARBINARY) {
      return factory.createSqlType(SqlTypeName.VARBINARY, NelumboTypeSystem.MAX_STRING_LENGTH);
    } else if (isComparison(context)) {
      return compared(factory, inferred);
    }
    return inferred;
  }

  private static RelDataType compared(RelDataTypeFactory factory, RelDataType inferred) {
    return switch (inferred.getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER -> factory.createSqlType(SqlTypeName.BIGINT);
      case REAL, FLOAT -> factory.createSqlType(SqlTypeName.DOUBLE);
      case DECIMAL ->
          NelumboTypeFactory.isNumeric(inferred)
              ? inferred
              : factory.createSqlType(
                  SqlTypeName.DECIMAL,
                  ColumnType.MAX_DECIMAL_PRECISION,
                  Math.max(inferred.getScale(), COMPARED_SCALE));
      case DATE, TIMESTAMP -> factory.createSqlType(SqlTypeName.TIMESTAMP, 6);
      case TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 6);
      default -> inferred;
    };
  }

  static boolean isComparison(SqlKind context) {
    return context != null
        && switch (context) {
          case EQUALS,
              NOT_EQUALS,
              LESS_THAN,
              LESS_THAN_OR_EQUAL,
              GREATER_THAN,
              GREATER_THAN_OR_EQUAL,
              BETWEEN,
              IN,
              NOT_IN,
              LIKE,
              IS_DISTINCT_FROM,
              IS_NOT_DISTINCT_FROM ->
              true;
          default -> false;
        };
  }

  public void record(int index, RelDataType type, boolean assignment, boolean open) {
    while (parameters.size() <= index) {
      parameters.add(null);
    }
    parameters.set(
        index, new ParameterInfo(SqlTypes.toColumnType(type).orNull(), assignment, open));
  }

  /** Records the type of a parameterized literal, which is never NULL. */
  public void record(ParameterizedLiteral literal, RelDataType type) {
    while (parameters.size() <= literal.getIndex()) {
      parameters.add(null);
    }
    parameters.set(
        literal.getIndex(), new ParameterInfo(SqlTypes.toColumnType(type), false, false));
  }

  /**
   * Returns the markers in order. Those without an inferred type are in LIMIT or OFFSET, and have
   * type BIGINT.
   */
  public List<ParameterInfo> toList(int count) {
    List<ParameterInfo> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ParameterInfo info = i < parameters.size() ? parameters.get(i) : null;
      list.add(
          info == null
              ? new ParameterInfo(ColumnType.of(Kind.BIGINT).orNull(), false, false)
              : info);
    }
    return list;
  }
}
