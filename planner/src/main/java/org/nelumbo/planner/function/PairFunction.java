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

/** Covariance, correlation and regression: aggregates of two numbers, computed as DOUBLE. */
public final class PairFunction extends SqlAggFunction {
  private static final List<String> NAMES =
      List.of(
          "COVAR_POP",
          "COVAR_SAMP",
          "CORR",
          "REGR_COUNT",
          "REGR_SLOPE",
          "REGR_INTERCEPT",
          "REGR_R2",
          "REGR_AVGX",
          "REGR_AVGY",
          "REGR_SXX",
          "REGR_SYY",
          "REGR_SXY");

  private PairFunction(String name) {
    super(
        name,
        null,
        SqlKind.OTHER_FUNCTION,
        name.equals("REGR_COUNT")
            ? ReturnTypes.BIGINT
            : ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        null,
        OperandTypes.NUMERIC_NUMERIC,
        SqlFunctionCategory.NUMERIC,
        false,
        false,
        Optionality.FORBIDDEN);
  }

  static List<? extends SqlOperator> all() {
    return NAMES.stream().map(PairFunction::new).toList();
  }
}
