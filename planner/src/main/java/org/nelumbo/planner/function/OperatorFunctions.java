package org.nelumbo.planner.function;

import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.nelumbo.parser.ast.BitOperators;

/** Maps {@link BitOperators} to functions. */
public final class OperatorFunctions {
  private static final Map<SqlOperator, SqlOperator> FUNCTIONS =
      Map.of(
          BitOperators.AND, SqlStdOperatorTable.BITAND,
          BitOperators.OR, SqlStdOperatorTable.BITOR,
          BitOperators.NOT, SqlStdOperatorTable.BITNOT,
          BitOperators.SHIFT_LEFT, AddedFunctions.SHIFT_LEFT,
          BitOperators.SHIFT_RIGHT, AddedFunctions.SHIFT_RIGHT,
          BitOperators.POWER, SqlStdOperatorTable.POWER,
          SqlLibraryOperators.RLIKE, AddedFunctions.REGEXP_LIKE,
          SqlLibraryOperators.NOT_RLIKE, AddedFunctions.REGEXP_LIKE);

  private OperatorFunctions() {}

  /** Returns true if an operator is mapped to a function. */
  public static boolean isReplaced(SqlOperator operator) {
    return FUNCTIONS.containsKey(operator);
  }

  /** Returns the function call for an operator call. */
  public static SqlNode call(SqlCall call) {
    SqlNode function =
        FUNCTIONS
            .get(call.getOperator())
            .createCall(call.getParserPosition(), call.getOperandList());
    return call.getOperator().equals(SqlLibraryOperators.NOT_RLIKE)
        ? SqlStdOperatorTable.NOT.createCall(call.getParserPosition(), function)
        : function;
  }
}
