package org.nelumbo.planner.function;

import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.fun.SqlSumAggFunction;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlTypes;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** SUM of numbers, as in Calcite, and of intervals. */
public final class SumFunction extends SqlSumAggFunction {
  public static final SumFunction INSTANCE = new SumFunction();

  private SumFunction() {
    super(SqlTypes.toRelType(NelumboTypeFactory.INSTANCE, ColumnType.of(Kind.BIGINT)));
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    return ofInterval(binding) || super.checkOperandTypes(binding, throwOnFailure);
  }

  /** Returns true if the single operand is an interval. */
  static boolean ofInterval(SqlCallBinding binding) {
    return binding.getOperandCount() == 1 && SqlTypeUtil.isInterval(binding.getOperandType(0));
  }
}
