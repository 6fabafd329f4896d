package org.nelumbo.planner.validate;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Rewrites comparisons of rows by their order, as in keyset paging: {@code (a, b) > (x, y)} becomes
 * {@code a >= x AND (a > x OR a = x AND b > y)}. The first conjunct is a range that can be read by
 * an index. Also rewrites row comparisons that Calcite does not support: with a query, with NULL,
 * and {@code IS DISTINCT FROM}.
 */
final class RowComparison {
  private static final String QUERY_NAME = "$ROW";

  private RowComparison() {}

  /**
   * Returns true if a call compares two rows by {@code <>}, {@code <}, {@code <=}, {@code >},
   * {@code >=} or BETWEEN, tests whether they are distinct, compares a row with a query, or tests
   * whether a row is NULL.
   */
  static boolean isRowComparison(SqlCall call) {
    return switch (call.getKind()) {
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          isRow(call, 0) && (isRow(call, 1) || isQuery(call, 1))
              || isQuery(call, 0) && isRow(call, 1);
      case EQUALS -> isRow(call, 0) && isQuery(call, 1) || isQuery(call, 0) && isRow(call, 1);
      case NOT_EQUALS ->
          isRow(call, 0) && (isRow(call, 1) || isQuery(call, 1))
              || isQuery(call, 0) && isRow(call, 1);
      case BETWEEN -> isRow(call, 0) && isRow(call, 1) && isRow(call, 2);
      case IS_DISTINCT_FROM, IS_NOT_DISTINCT_FROM -> isRow(call, 0) && isRow(call, 1);
      case IS_NULL, IS_NOT_NULL -> isRow(call, 0);
      default -> false;
    };
  }

  /**
   * Returns true for a row, including one with the keyword ROW, which may not have been resolved
   * yet.
   */
  private static boolean isRow(SqlCall call, int operand) {
    SqlNode node = call.operand(operand);
    return node instanceof SqlCall value && value.getOperator().isName("ROW", false);
  }

  private static boolean isQuery(SqlCall call, int operand) {
    return call.operand(operand).isA(SqlKind.QUERY);
  }

  /** Returns the comparison of the elements of the rows. */
  static SqlNode of(SqlBasicCall call) {
    return switch (call.getKind()) {
      case IS_NULL, IS_NOT_NULL -> ofNull(call);
      case BETWEEN -> between(call);
      default -> isQuery(call, 0) || isQuery(call, 1) ? ofQuery(call) : ofRows(call);
    };
  }

  /** SYMMETRIC allows both orders. */
  private static SqlNode between(SqlBasicCall call) {
    SqlBetweenOperator operator = (SqlBetweenOperator) call.getOperator();
    SqlParserPos position = call.getParserPosition();
    SqlNode within = within(call, 1, 2);
    if (operator.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
      within = SqlStdOperatorTable.OR.createCall(position, within, within(call, 2, 1));
    }
    return operator.isNegated() ? SqlStdOperatorTable.NOT.createCall(position, within) : within;
  }

  private static SqlNode within(SqlBasicCall call, int lower, int upper) {
    SqlParserPos position = call.getParserPosition();
    SqlNode least =
        SqlStdOperatorTable.GREATER_THAN_OR_EQUAL.createCall(
            position, call.operand(0), call.operand(lower));
    SqlNode most =
        SqlStdOperatorTable.LESS_THAN_OR_EQUAL.createCall(
            position, call.operand(0), call.operand(upper));
    return SqlStdOperatorTable.AND.createCall(
        position, ofRows((SqlBasicCall) least), ofRows((SqlBasicCall) most));
  }

  private static SqlNode ofNull(SqlBasicCall call) {
    SqlNode result = null;
    for (SqlNode value : ((SqlCall) call.operand(0)).getOperandList()) {
      SqlNode each = call.getOperator().createCall(value.getParserPosition(), value);
      result = and(result, each, call.getParserPosition());
    }
    return result;
  }

  private static SqlNode and(SqlNode left, SqlNode right, SqlParserPos position) {
    return left == null ? right : SqlStdOperatorTable.AND.createCall(position, left, right);
  }

  private static SqlNode ofQuery(SqlBasicCall call) {
    SqlParserPos position = call.getParserPosition();
    boolean queryFirst = isQuery(call, 0);
    SqlNode query = call.operand(queryFirst ? 0 : 1);
    SqlCall row = call.operand(queryFirst ? 1 : 0);
    List<SqlNode> named = new ArrayList<>(List.of(query, new SqlIdentifier(QUERY_NAME, position)));
    List<SqlNode> found = new ArrayList<>();
    for (int i = 0; i < row.operandCount(); i++) {
      named.add(new SqlIdentifier("$" + i, position));
      found.add(new SqlIdentifier(List.of(QUERY_NAME, "$" + i), position));
    }
    List<SqlNode> given = row.getOperandList();
    List<SqlNode> left = queryFirst ? found : given;
    List<SqlNode> right = queryFirst ? given : found;
    SqlNode compared =
        switch (call.getKind()) {
          case EQUALS -> equal(left, right, position);
          case NOT_EQUALS ->
              SqlStdOperatorTable.NOT.createCall(position, equal(left, right, position));
          default -> ordered(call, left, right);
        };
    return new SqlSelect(
        position,
        null,
        SqlNodeList.of(compared),
        SqlStdOperatorTable.AS.createCall(position, named),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static SqlNode ofRows(SqlBasicCall call) {
    List<SqlNode> left = ((SqlCall) call.operand(0)).getOperandList();
    List<SqlNode> right = ((SqlCall) call.operand(1)).getOperandList();
    SqlParserPos position = call.getParserPosition();
    if (left.size() != right.size()) {
      throw SqlErrors.at(
          ErrorCode.TYPE_MISMATCH,
          "a row of " + left.size() + " values cannot be compared with one of " + right.size(),
          position);
    }
    return switch (call.getKind()) {
      case NOT_EQUALS -> SqlStdOperatorTable.NOT.createCall(position, equal(left, right, position));
      case IS_NOT_DISTINCT_FROM -> alike(left, right, position);
      case IS_DISTINCT_FROM ->
          SqlStdOperatorTable.NOT.createCall(position, alike(left, right, position));
      default -> ordered(call, left, right);
    };
  }

  private static SqlNode alike(List<SqlNode> left, List<SqlNode> right, SqlParserPos position) {
    SqlNode result = null;
    for (int i = 0; i < left.size(); i++) {
      result =
          and(result, call(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, left, right, i), position);
    }
    return result;
  }

  private static SqlNode equal(List<SqlNode> left, List<SqlNode> right, SqlParserPos position) {
    SqlNode result = null;
    for (int i = 0; i < left.size(); i++) {
      result = and(result, call(SqlStdOperatorTable.EQUALS, left, right, i), position);
    }
    return result;
  }

  private static SqlNode ordered(SqlBasicCall call, List<SqlNode> left, List<SqlNode> right) {
    SqlParserPos position = call.getParserPosition();
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
      SqlNode rest = SqlStdOperatorTable.AND.createCall(position, equal, result);
      result = SqlStdOperatorTable.OR.createCall(position, call(strict, left, right, i), rest);
    }
    return last == 0
        ? result
        : SqlStdOperatorTable.AND.createCall(position, call(loose, left, right, 0), result);
  }

  private static SqlNode call(
      SqlBinaryOperator operator, List<SqlNode> left, List<SqlNode> right, int i) {
    SqlNode a = copy(left.get(i));
    return operator.createCall(a.getParserPosition(), a, copy(right.get(i)));
  }

  /** Validation changes nodes, so each position needs its own. */
  private static SqlNode copy(SqlNode node) {
    return node.clone(node.getParserPosition());
  }
}
