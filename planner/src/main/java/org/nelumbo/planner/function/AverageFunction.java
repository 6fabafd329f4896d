package org.nelumbo.planner.function;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlAvgAggFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.planner.type.NelumboTypeFactory;

/** AVG of numbers and intervals; AVG of integers is an exact NUMERIC. */
public final class AverageFunction extends SqlAvgAggFunction {
  public static final AverageFunction INSTANCE = new AverageFunction();

  private AverageFunction() {
    super(SqlKind.AVG);
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    RelDataType type = super.inferReturnType(binding);
    RelDataType argument = binding.getOperandType(0);
    if (!SqlTypeName.INT_TYPES.contains(argument.getSqlTypeName())
        && !NelumboTypeFactory.isNumeric(argument)) {
      return type;
    }
    RelDataTypeFactory factory = binding.getTypeFactory();
    return factory.createTypeWithNullability(
        NelumboTypeFactory.numeric(factory), type.isNullable());
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    return SumFunction.ofInterval(binding) || super.checkOperandTypes(binding, throwOnFailure);
  }
}
