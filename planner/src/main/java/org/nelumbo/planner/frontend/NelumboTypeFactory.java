package org.nelumbo.planner.frontend;

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
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Decimals;

/**
 * Makes Calcite types under our type system; strings are Unicode. Thread-safe.
 *
 * <p>NUMERIC without bounds is a DECIMAL of more digits than a DECIMAL can have.
 */
public final class NelumboTypeFactory extends SqlTypeFactoryImpl {
  public static final NelumboTypeFactory INSTANCE = new NelumboTypeFactory();

  /** How Calcite writes the type that is our NUMERIC. */
  static final String NUMERIC_DIGEST =
      "DECIMAL(" + 2 * Decimals.NUMERIC_DIGITS + ", " + Decimals.NUMERIC_DIGITS + ")";

  private NelumboTypeFactory() {
    super(NelumboTypeSystem.INSTANCE);
  }

  /** NUMERIC, not nullable. */
  static RelDataType numeric(RelDataTypeFactory factory) {
    return factory.createSqlType(
        SqlTypeName.DECIMAL, 2 * Decimals.NUMERIC_DIGITS, Decimals.NUMERIC_DIGITS);
  }

  /** Whether a type is NUMERIC without bounds. */
  public static boolean isNumeric(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DECIMAL
        && type.getPrecision() > ColumnType.MAX_DECIMAL_PRECISION;
  }

  @Override
  public RelDataType createSqlType(SqlTypeName name, int precision) {
    return isNumeric(name, precision, 0) ? numeric() : super.createSqlType(name, precision);
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

  /** The type that has the values of all; NUMERIC if one is and all others are exact. */
  @Override
  public @Nullable RelDataType leastRestrictive(List<RelDataType> types) {
    boolean exact =
        types.stream()
            .allMatch(
                type ->
                    SqlTypeUtil.isExactNumeric(type) || type.getSqlTypeName() == SqlTypeName.NULL);
    if (!exact || types.stream().noneMatch(NelumboTypeFactory::isNumeric)) {
      return super.leastRestrictive(types);
    }
    return createTypeWithNullability(numeric(), types.stream().anyMatch(RelDataType::isNullable));
  }

  @Override
  public Charset getDefaultCharset() {
    return Charset.forName(ConversionUtil.NATIVE_UTF16_CHARSET_NAME);
  }
}
