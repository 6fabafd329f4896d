package org.nelumbo.planner.function;

import java.util.List;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.util.Optionality;

/**
 * Variance or standard deviation as a DOUBLE. Calcite expands its own functions over windows to
 * sums of squares, whose difference loses all significant digits if the values are large compared
 * with their distances.
 */
final class VarianceFunction extends SqlAggFunction {
  static final List<SqlOperator> ALL =
      List.of(
          new VarianceFunction("VAR_POP", SqlKind.VAR_POP),
          new VarianceFunction("VAR_SAMP", SqlKind.VAR_SAMP),
          new VarianceFunction("VARIANCE", SqlKind.VAR_SAMP),
          new VarianceFunction("STDDEV_POP", SqlKind.STDDEV_POP),
          new VarianceFunction("STDDEV_SAMP", SqlKind.STDDEV_SAMP),
          new VarianceFunction("STDDEV", SqlKind.STDDEV_SAMP));

  private VarianceFunction(String name, SqlKind kind) {
    super(
        name,
        null,
        kind,
        ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        null,
        OperandTypes.NUMERIC,
        SqlFunctionCategory.NUMERIC,
        false,
        false,
        Optionality.FORBIDDEN);
  }
}
