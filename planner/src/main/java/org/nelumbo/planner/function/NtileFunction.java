package org.nelumbo.planner.function;

import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.util.Optionality;

/** NTILE of any integer; Calcite's function accepts literals only. */
final class NtileFunction extends SqlAggFunction {
  static final NtileFunction INSTANCE = new NtileFunction();

  private NtileFunction() {
    super(
        "NTILE",
        null,
        SqlKind.NTILE,
        ReturnTypes.RANK,
        null,
        OperandTypes.INTEGER,
        SqlFunctionCategory.NUMERIC,
        false,
        true,
        Optionality.FORBIDDEN);
  }
}
