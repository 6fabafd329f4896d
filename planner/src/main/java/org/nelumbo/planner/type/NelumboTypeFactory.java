package org.nelumbo.planner.type;

import java.nio.charset.Charset;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.BasicSqlType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ConversionUtil;
import org.checkerframework.checker.nullness.qual.Nullable;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Decimals;

/**
 * Creates Calcite types in Nelumbo's type system; strings are Unicode. Thread-safe.
 *
 * <p>NUMERIC without bounds is represented as a DECIMAL with more digits than a DECIMAL can have.
 */
public final class NelumboTypeFactory extends SqlTypeFactoryImpl {
  public static final NelumboTypeFactory INSTANCE = new NelumboTypeFactory();

  /** Calcite's text for the NUMERIC type. */
  static final String NUMERIC_DIGEST =
      "DECIMAL(" + 2 * Decimals.NUMERIC_DIGITS + ", " + Decimals.NUMERIC_DIGITS + ")";

  private NelumboTypeFactory() {
    super(NelumboTypeSystem.INSTANCE);
  }

  /** Returns NUMERIC, not nullable. */
  public static RelDataType numeric(RelDataTypeFactory factory) {
    return factory.createSqlType(
        SqlTypeName.DECIMAL, 2 * Decimals.NUMERIC_DIGITS, Decimals.NUMERIC_DIGITS);
  }

  /** Returns true if a type is NUMERIC without bounds. */
  public static boolean isNumeric(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL
        && type.getPrecision() > ColumnType.MAX_DECIMAL_PRECISION;
  }

  /** No zone is stored, as in PostgreSQL. */
  private static SqlTypeName kept(SqlTypeName name) {
    return name == SqlTypeName.TIMESTAMP_TZ ? SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE : name;
  }

  @Override
  public RelDataType createSqlType(SqlTypeName name) {
    return super.createSqlType(kept(name));
  }

  @Override
  public RelDataType createSqlType(SqlTypeName name, int precision) {
    return isNumeric(name, precision, 0) ? numeric() : super.createSqlType(kept(name), precision);
  }

  @Override
  public RelDataType createSqlType(SqlTypeName name, int precision, int scale) {
    return isNumeric(name, precision, scale)
        ? numeric()
        : super.createSqlType(name, precision, scale);
  }

  private static boolean isNumeric(SqlTypeName name, int precision, int scale) {
    return name == SqlTypeName.DECIMAL
        && Math.max(precision, scale) > ColumnType.MAX_DECIMAL_PRECISION;
  }

  private RelDataType numeric() {
    return canonize(
        new BasicSqlType(
            getTypeSystem(),
            SqlTypeName.DECIMAL,
            2 * Decimals.NUMERIC_DIGITS,
            Decimals.NUMERIC_DIGITS));
  }

  /**
   * Returns the common type of values. It is NUMERIC if one of them is and all others are exact,
   * and an instant if one of them is and all others are dates or timestamps.
   */
  @Override
  public @Nullable RelDataType leastRestrictive(List<RelDataType> types) {
    RelDataType common = null;
    if (types.stream().anyMatch(NelumboTypeFactory::isNumeric)) {
      common = types.stream().allMatch(NelumboTypeFactory::isExactOrNull) ? numeric() : null;
    } else if (types.stream().anyMatch(NelumboTypeFactory::isInstant)) {
      common = commonInstant(types);
    }
    return common == null
        ? super.leastRestrictive(types)
        : createTypeWithNullability(common, types.stream().anyMatch(RelDataType::isNullable));
  }

  private @Nullable RelDataType commonInstant(List<RelDataType> types) {
    int precision = 0;
    for (RelDataType type : types) {
      switch (type.getSqlTypeName()) {
        case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
            precision = Math.max(precision, type.getPrecision());
        case DATE, NULL -> {
          // has no fractional seconds
        }
        default -> {
          return null;
        }
      }
    }
    return createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, precision);
  }

  private static boolean isInstant(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static boolean isExactOrNull(RelDataType type) {
    return SqlTypeUtil.isExactNumeric(type) || type.getSqlTypeName() == SqlTypeName.NULL;
  }

  @Override
  public Charset getDefaultCharset() {
    return Charset.forName(ConversionUtil.NATIVE_UTF16_CHARSET_NAME);
  }
}
