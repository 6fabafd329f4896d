package org.nelumbo.planner.frontend;

import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.executor.error.ErrorCode;

/**
 * Comparisons of rows by their order, as keyset paging has them: {@code (a, b) > (x, y)} is {@code
 * a >= x AND (a > x OR a = x AND b > y)}. The first part is a range that an index can be read by.
 */
final class RowComparison {
  private RowComparison() {}

  /** Whether a call compares two rows by {@code <}, {@code <=}, {@code >} or {@code >=}. */
  static boolean isRowComparison(SqlCall call) {
    return switch (call.getKind()) {
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          call.operand(0).getKind() == SqlKind.ROW && call.operand(1).getKind() == SqlKind.ROW;
      default -> false;
    };
  }

  /** The comparison of the parts of the rows. */
  static SqlNode of(SqlBasicCall call) {
    List<SqlNode> left = ((SqlCall) call.operand(0)).getOperandList();
    List<SqlNode> right = ((SqlCall) call.operand(1)).getOperandList();
    SqlParserPos place = call.getParserPosition();
    if (left.size() != right.size()) {
      throw SqlErrors.at(
          ErrorCode.TYPE_MISMATCH,
          "a row of " + left.size() + " values cannot be compared with one of " + right.size(),
          place);
    }
    boolean less =
        call.getKind() == SqlKind.LESS_THAN || call.getKind() == SqlKind.LESS_THAN_OR_EQUAL;
    SqlBinaryOperator strict =
        less ? SqlStdOperatorTable.LESS_THAN : SqlStdOperatorTable.GREATER_THAN;
    SqlBinaryOperator loose =
        less ? SqlStdOperatorTable.LESS_THAN_OR_EQUAL : SqlStdOperatorTable.GREATER_THAN_OR_EQUAL;
    int last = left.size() - 1;
    SqlNode result = call(call.getOperator().equals(strict) ? strict : loose, left, right, last);
    for (int i = last - 1; i >= 0; i--) {
      SqlNode equal = call(SqlStdOperatorTable.EQUALS, left, right, i);
      SqlNode rest = SqlStdOperatorTable.AND.createCall(place, equal, result);
      result = SqlStdOperatorTable.OR.createCall(place, call(strict, left, right, i), rest);
    }
    return last == 0
        ? result
        : SqlStdOperatorTable.AND.createCall(place, call(loose, left, right, 0), result);
  }

  private static SqlNode call(
      SqlBinaryOperator operator, List<SqlNode> left, List<SqlNode> right, int i) {
    SqlNode a = copy(left.get(i));
    return operator.createCall(a.getParserPosition(), a, copy(right.get(i)));
  }

  /** Validation changes nodes, so each place needs one of its own. */
  private static SqlNode copy(SqlNode node) {
    return node.clone(node.getParserPosition());
  }
}
