package org.nelumbo.planner.type;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.nelumbo.types.ColumnType;

/**
 * The limits and result types of Nelumbo's SQL:
 *
 * <ul>
 *   <li>SUM of integers is a BIGINT, SUM of BIGINT a NUMERIC.
 *   <li>SUM of DECIMAL(p, s) has ten more digits, and AVG of DECIMAL(p, s) six more decimals. Both
 *       are a NUMERIC if a DECIMAL cannot have so many digits.
 *   <li>AVG of integers is a NUMERIC, so that averages are not truncated.
 *   <li>A quotient of DECIMALs has at least sixteen decimals, and is a NUMERIC if a DECIMAL cannot
 *       hold them.
 *   <li>Operations on a NUMERIC and exact numbers result in a NUMERIC.
 * </ul>
 */
public final class NelumboTypeSystem extends RelDataTypeSystemImpl {
  public static final NelumboTypeSystem INSTANCE = new NelumboTypeSystem();

  /** Maximum declared length of a string; a row must fit into one record in any case. */
  public static final int MAX_STRING_LENGTH = 16 << 20;

  private static final int MAX_FRACTIONAL_SECOND_DIGITS = 6;

  /**
   * Digits of a million: a sum without room for so many additional digits is a NUMERIC, which has
   * no scale.
   */
  private static final int SUM_EXTRA_DIGITS_MIN = 6;

  private static final int SUM_EXTRA_DIGITS = 10;
  private static final int AVG_EXTRA_SCALE = 6;

  private static final int QUOTIENT_SCALE_MIN = 16;

  private NelumboTypeSystem() {}

  @Override
  public int getMaxPrecision(SqlTypeName type) {
    return switch (type) {
      case DECIMAL -> ColumnType.MAX_DECIMAL_PRECISION;
      case TIME, TIMESTAMP, TIME_WITH_LOCAL_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          MAX_FRACTIONAL_SECOND_DIGITS;
      case CHAR, VARCHAR, BINARY, VARBINARY -> MAX_STRING_LENGTH;
      default -> super.getMaxPrecision(type);
    };
  }

  @Override
  public int getDefaultPrecision(SqlTypeName type) {
    return switch (type) {
      case DECIMAL -> ColumnType.MAX_DECIMAL_PRECISION;
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> MAX_FRACTIONAL_SECOND_DIGITS;
      default ->
          SqlTypeName.INTERVAL_TYPES.contains(type)
              ? getMaxPrecision(type) // INTERVAL '100' DAY is valid
              : super.getDefaultPrecision(type);
    };
  }

  @Override
  public int getMaxScale(SqlTypeName type) {
    return type == SqlTypeName.DECIMAL ? ColumnType.MAX_DECIMAL_PRECISION : super.getMaxScale(type);
  }

  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
    SqlTypeName name = argument.getSqlTypeName();
    if (name == SqlTypeName.BIGINT) {
      return nullableLike(factory, NelumboTypeFactory.numeric(factory), argument);
    } else if (SqlTypeName.INT_TYPES.contains(name)) {
      return nullableLike(factory, factory.createSqlType(SqlTypeName.BIGINT), argument);
    }
    if (NelumboTypeFactory.isNumeric(argument)) {
      return argument;
    } else if (name == SqlTypeName.DECIMAL) {
      int precision = argument.getPrecision() + SUM_EXTRA_DIGITS_MIN;
      if (precision <= ColumnType.MAX_DECIMAL_PRECISION) {
        precision =
            Math.min(ColumnType.MAX_DECIMAL_PRECISION, argument.getPrecision() + SUM_EXTRA_DIGITS);
      }
      return decimal(factory, argument, precision, argument.getScale());
    }
    if (SqlTypeUtil.isApproximateNumeric(argument)) {
      return nullableLike(factory, factory.createSqlType(SqlTypeName.DOUBLE), argument);
    }
    return argument;
  }

  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
    if (SqlTypeUtil.isInterval(argument)) {
      return argument;
    } else if (argument.getSqlTypeName() == SqlTypeName.DECIMAL
        && !NelumboTypeFactory.isNumeric(argument)) {
      return decimal(
          factory,
          argument,
          argument.getPrecision() + AVG_EXTRA_SCALE,
          argument.getScale() + AVG_EXTRA_SCALE);
    }
    return nullableLike(factory, factory.createSqlType(SqlTypeName.DOUBLE), argument);
  }

  @Override
  public @Nullable RelDataType deriveDecimalPlusType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return numericOr(super::deriveDecimalPlusType, factory, left, right);
  }

  @Override
  public @Nullable RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return numericOr(super::deriveDecimalMultiplyType, factory, left, right);
  }

  @Override
  public @Nullable RelDataType deriveDecimalDivideType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return numericOr(this::quotientType, factory, left, right);
  }

  private @Nullable RelDataType quotientType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (super.deriveDecimalDivideType(factory, left, right) == null) {
      return null;
    }
    RelDataType value = factory.decimalOf(left);
    RelDataType divisor = factory.decimalOf(right);
    int digits = value.getPrecision() - value.getScale() + divisor.getScale();
    int room = ColumnType.MAX_DECIMAL_PRECISION - digits;
    int scale = Math.max(QUOTIENT_SCALE_MIN, value.getScale() + divisor.getPrecision() + 1);
    RelDataType type =
        room < QUOTIENT_SCALE_MIN
            ? NelumboTypeFactory.numeric(factory)
            : factory.createSqlType(
                SqlTypeName.DECIMAL, digits + Math.min(scale, room), Math.min(scale, room));
    return factory.createTypeWithNullability(type, left.isNullable() || right.isNullable());
  }

  @Override
  public @Nullable RelDataType deriveDecimalModType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return numericOr(super::deriveDecimalModType, factory, left, right);
  }

  /** Derives the result type of an operation on two numbers; null if it is not exact. */
  @FunctionalInterface
  private interface ResultType {
    @Nullable RelDataType of(RelDataTypeFactory factory, RelDataType left, RelDataType right);
  }

  /** A NULL takes the type of the other operand. */
  private static @Nullable RelDataType numericOr(
      ResultType calcites, RelDataTypeFactory factory, RelDataType a, RelDataType b) {
    RelDataType left = a.getSqlTypeName() == SqlTypeName.NULL ? b : a;
    RelDataType right = b.getSqlTypeName() == SqlTypeName.NULL ? a : b;
    boolean one = NelumboTypeFactory.isNumeric(left) || NelumboTypeFactory.isNumeric(right);
    return one && SqlTypeUtil.isExactNumeric(left) && SqlTypeUtil.isExactNumeric(right)
        ? NelumboTypeFactory.numeric(factory)
        : calcites.of(factory, left, right);
  }

  private static RelDataType decimal(
      RelDataTypeFactory factory, RelDataType argument, int precision, int scale) {
    RelDataType type =
        precision > ColumnType.MAX_DECIMAL_PRECISION
            ? NelumboTypeFactory.numeric(factory)
            : factory.createSqlType(SqlTypeName.DECIMAL, precision, scale);
    return nullableLike(factory, type, argument);
  }

  private static RelDataType nullableLike(
      RelDataTypeFactory factory, RelDataType type, RelDataType model) {
    return factory.createTypeWithNullability(type, model.isNullable());
  }
}
