package org.nelumbo.planner.rex;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Finds the type that holds the values of several expressions without loss, and compares types for
 * equality semantics.
 */
public final class CommonTypes {
  private static final int INTEGER_DIGITS = 19;

  private CommonTypes() {}

  /** Returns the common type, nullable, or null if there is none. */
  public static ColumnType of(List<Expression> values) {
    ColumnType common = values.getFirst().type().orNull();
    for (Expression value : values) {
      common = common == null ? null : both(common, value.type().orNull());
    }
    return common;
  }

  private static ColumnType both(ColumnType a, ColumnType b) {
    if (a.equals(b)) {
      return a;
    } else if (a.kind().isInteger() && b.kind().isInteger()) {
      return ColumnType.of(Kind.BIGINT).orNull();
    } else if (a.kind().isCharacter() && b.kind().isCharacter()) {
      return ColumnType.of(Kind.VARCHAR).orNull();
    } else if (a.kind().isFloating() && b.kind().isFloating()) {
      return ColumnType.of(Kind.DOUBLE).orNull();
    } else if (a.kind().isExact() && b.kind().isExact()) {
      if (a.kind() == Kind.NUMERIC || b.kind() == Kind.NUMERIC) {
        return ColumnType.of(Kind.NUMERIC).orNull();
      }
      int scale = Math.max(a.scale(), b.scale());
      int digits = Math.max(integerDigits(a), integerDigits(b));
      return digits + scale <= ColumnType.MAX_DECIMAL_PRECISION
          ? ColumnType.decimal(ColumnType.MAX_DECIMAL_PRECISION, scale).orNull()
          : null;
    }
    return null;
  }

  private static int integerDigits(ColumnType type) {
    return type.kind() == Kind.DECIMAL ? type.precision() - type.scale() : INTEGER_DIGITS;
  }

  /** Returns true if distinct values of one type cannot equal the same value of the other. */
  public static boolean areEqualAlike(RelDataType values, RelDataType others) {
    SqlTypeName name = values.getSqlTypeName();
    return name == others.getSqlTypeName()
        || SqlTypeName.INT_TYPES.contains(name)
            && SqlTypeName.INT_TYPES.contains(others.getSqlTypeName());
  }
}
