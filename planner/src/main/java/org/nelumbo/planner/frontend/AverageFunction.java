package org.nelumbo.planner.frontend;

import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlAvgAggFunction;

/** AVG of numbers, as Calcite's, and of intervals. */
final class AverageFunction extends SqlAvgAggFunction {
  static final AverageFunction INSTANCE = new AverageFunction();

  private AverageFunction() {
    super(SqlKind.AVG);
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    return SumFunction.ofInterval(binding) || super.checkOperandTypes(binding, throwOnFailure);
  }
}
