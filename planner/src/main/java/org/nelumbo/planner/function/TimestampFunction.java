package org.nelumbo.planner.function;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlAbstractTimeFunction;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * CURRENT_TIMESTAMP and LOCALTIMESTAMP with a default precision of microseconds, as in the
 * standard, PostgreSQL and H2; Calcite's default is whole seconds.
 */
final class TimestampFunction extends SqlAbstractTimeFunction {
  static final TimestampFunction CURRENT = new TimestampFunction("CURRENT_TIMESTAMP");
  static final TimestampFunction LOCAL = new TimestampFunction("LOCALTIMESTAMP");

  private static final int DEFAULT_PRECISION = 6;

  private TimestampFunction(String name) {
    super(name, SqlTypeName.TIMESTAMP);
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    return binding.getOperandCount() > 0
        ? super.inferReturnType(binding)
        : binding.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP, DEFAULT_PRECISION);
  }
}
