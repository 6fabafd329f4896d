package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnnestOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.planner.function.SeriesFunction;

/**
 * Rewrites functions in FROM that return rows of one column, and names that column:
 * GENERATE_SERIES, H2's SYSTEM_RANGE, and UNNEST of an array constructor.
 */
final class NamedRows {
  private static final String RANGE = "SYSTEM_RANGE";
  private static final String UNNEST = "UNNEST";

  private NamedRows() {}

  /** Returns the equivalent of such a function, with or without AS; null for other nodes. */
  static SqlNode replacement(SqlNode node) {
    boolean isNamed = node.getKind() == SqlKind.AS;
    SqlNode rows = isNamed ? ((SqlCall) node).operand(0) : node;
    String function = function(rows);
    int operands = isNamed ? ((SqlCall) node).operandCount() : 0;
    boolean isSeries = function.equals(SeriesFunction.NAME);
    if (function.isEmpty() || isSeries && operands != 2) {
      return null;
    }
    SqlParserPos position = node.getParserPosition();
    SqlIdentifier alias =
        isNamed ? ((SqlCall) node).operand(1) : new SqlIdentifier(function, position);
    SqlNode column =
        operands > 2
            ? ((SqlCall) node).operand(2)
            : function.equals(RANGE) ? new SqlIdentifier("X", position) : alias;
    return SqlStdOperatorTable.AS.createCall(
        position, isSeries ? rows : plain(function, (SqlCall) rows), alias, column);
  }

  private static String function(SqlNode rows) {
    if (rows.getKind() == SqlKind.UNNEST) {
      SqlCall call = (SqlCall) rows;
      boolean isWritten =
          !((SqlUnnestOperator) call.getOperator()).withOrdinality
              && call.operandCount() == 1
              && call.operand(0).getKind() == SqlKind.ARRAY_VALUE_CONSTRUCTOR
              && !((SqlCall) call.operand(0)).getOperandList().isEmpty();
      return isWritten ? UNNEST : "";
    }
    String name =
        rows.getKind() == SqlKind.COLLECTION_TABLE
                && ((SqlCall) rows).operand(0) instanceof SqlCall call
            ? call.getOperator().getName()
            : "";
    return name.equalsIgnoreCase(RANGE)
        ? RANGE
        : name.equalsIgnoreCase(SeriesFunction.NAME) ? SeriesFunction.NAME : "";
  }

  private static SqlNode plain(String function, SqlCall rows) {
    SqlParserPos position = rows.getParserPosition();
    SqlCall call = rows.operand(0);
    if (function.equals(RANGE)) {
      return SqlStdOperatorTable.COLLECTION_TABLE.createCall(
          position, SeriesFunction.INSTANCE.createCall(position, call.getOperandList()));
    }
    List<SqlNode> values = new ArrayList<>();
    for (SqlNode element : call.getOperandList()) {
      values.add(SqlStdOperatorTable.ROW.createCall(element.getParserPosition(), element));
    }
    return SqlStdOperatorTable.VALUES.createCall(position, values);
  }
}
