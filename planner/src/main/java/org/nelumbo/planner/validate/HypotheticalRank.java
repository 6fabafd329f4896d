package org.nelumbo.planner.validate;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.parser.ast.CopyingShuttle;
import org.nelumbo.planner.type.SqlErrors;

/**
 * Rewrites RANK, DENSE_RANK, PERCENT_RANK and CUME_DIST with WITHIN GROUP: the rank that a
 * hypothetical row would have among the rows of a group. It is computed from the counts of rows
 * that precede or equal the given values.
 */
final class HypotheticalRank {
  private static final Set<String> NAMES =
      Set.of("RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST");

  private final SqlParserPos position;
  private final String name;
  private final List<SqlNode> values;
  private final SqlNodeList order;

  /** Condition of the rows that count; null for all rows. */
  private final SqlNode filter;

  private HypotheticalRank(SqlCall withinGroup, SqlNode filter) {
    SqlCall call = withinGroup.operand(0);
    this.position = call.getParserPosition();
    this.name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    this.values = call.getOperandList();
    this.order = withinGroup.operand(1);
    this.filter = filter;
    if (order.size() != values.size()) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          name + " takes a value for each expression in WITHIN GROUP (ORDER BY ...)",
          position);
    }
    if (name.equals("DENSE_RANK") && values.size() > 1) {
      throw SqlErrors.at(
          ErrorCode.UNSUPPORTED,
          "DENSE_RANK of several values is not supported; rank by one expression",
          position);
    }
  }

  /** Returns the expression for such a call, with or without FILTER; null for other calls. */
  static SqlNode replacement(SqlCall call) {
    if (call.getKind() == SqlKind.FILTER) {
      return isRank(call.operand(0))
          ? new HypotheticalRank(call.operand(0), call.operand(1)).expression()
          : null;
    }
    return isRank(call) ? new HypotheticalRank(call, null).expression() : null;
  }

  private static boolean isRank(SqlNode node) {
    return node.getKind() == SqlKind.WITHIN_GROUP
        && ((SqlCall) node).operand(0) instanceof SqlCall call
        && NAMES.contains(call.getOperator().getName().toUpperCase(Locale.ROOT));
  }

  private SqlNode expression() {
    SqlNode one = number(1);
    return switch (name) {
      case "RANK" -> call(SqlStdOperatorTable.PLUS, rows(before(0)), one);
      case "DENSE_RANK" -> call(SqlStdOperatorTable.PLUS, valuesBefore(), one);
      case "PERCENT_RANK" ->
          call(
              SqlStdOperatorTable.COALESCE,
              call(
                  SqlStdOperatorTable.DIVIDE,
                  floating(rows(before(0))),
                  call(SqlStdOperatorTable.NULLIF, rows(null), number(0))),
              number(0));
      default ->
          call(
              SqlStdOperatorTable.DIVIDE,
              floating(
                  call(
                      SqlStdOperatorTable.PLUS,
                      rows(call(SqlStdOperatorTable.OR, before(0), isLike())),
                      one)),
              call(SqlStdOperatorTable.PLUS, rows(null), one));
    };
  }

  private SqlNode valuesBefore() {
    SqlNode distinct =
        SqlStdOperatorTable.COUNT.createCall(
            SqlSelectKeyword.DISTINCT.symbol(position), position, copy(sorted(0)));
    SqlNode nulls =
        rows(
            call(
                SqlStdOperatorTable.AND,
                call(SqlStdOperatorTable.IS_NULL, copy(sorted(0))),
                before(0)));
    SqlNode ofNull =
        new SqlCase(
            position,
            null,
            SqlNodeList.of(call(SqlStdOperatorTable.GREATER_THAN, nulls, number(0))),
            SqlNodeList.of(number(1)),
            number(0));
    return call(SqlStdOperatorTable.PLUS, filtered(distinct, before(0)), ofNull);
  }

  private SqlNode rows(SqlNode condition) {
    return filtered(
        SqlStdOperatorTable.COUNT.createCall(position, SqlIdentifier.star(position)), condition);
  }

  private SqlNode filtered(SqlNode aggregate, SqlNode condition) {
    if (filter == null) {
      return condition == null ? aggregate : call(SqlStdOperatorTable.FILTER, aggregate, condition);
    }
    SqlNode all =
        condition == null ? copy(filter) : call(SqlStdOperatorTable.AND, copy(filter), condition);
    return call(SqlStdOperatorTable.FILTER, aggregate, all);
  }

  /** Returns the condition that a row precedes the values, compared from the i-th value on. */
  private SqlNode before(int i) {
    SqlNode sorted = sorted(i);
    SqlOperator operator =
        isDescending(i) ? SqlStdOperatorTable.GREATER_THAN : SqlStdOperatorTable.LESS_THAN;
    SqlNode first = isNullFirst(i) ? sorted : values.get(i);
    SqlNode second = isNullFirst(i) ? values.get(i) : sorted;
    SqlNode before =
        call(
            SqlStdOperatorTable.OR,
            call(operator, copy(sorted), copy(values.get(i))),
            call(
                SqlStdOperatorTable.AND,
                call(SqlStdOperatorTable.IS_NULL, copy(first)),
                call(SqlStdOperatorTable.IS_NOT_NULL, copy(second))));
    return i + 1 == values.size()
        ? before
        : call(
            SqlStdOperatorTable.OR,
            before,
            call(SqlStdOperatorTable.AND, isLike(i), before(i + 1)));
  }

  private SqlNode isLike() {
    SqlNode like = isLike(0);
    for (int i = 1; i < values.size(); i++) {
      like = call(SqlStdOperatorTable.AND, like, isLike(i));
    }
    return like;
  }

  private SqlNode isLike(int i) {
    return call(SqlStdOperatorTable.IS_NOT_DISTINCT_FROM, copy(sorted(i)), copy(values.get(i)));
  }

  private SqlNode sorted(int i) {
    SqlNode node = order.get(i);
    while (isModifier(node)) {
      node = ((SqlCall) node).operand(0);
    }
    return node;
  }

  private static boolean isModifier(SqlNode node) {
    return node.getKind() == SqlKind.DESCENDING
        || node.getKind() == SqlKind.NULLS_FIRST
        || node.getKind() == SqlKind.NULLS_LAST;
  }

  private boolean has(int i, SqlKind modifier) {
    for (SqlNode node = order.get(i); isModifier(node); node = ((SqlCall) node).operand(0)) {
      if (node.getKind() == modifier) {
        return true;
      }
    }
    return false;
  }

  private boolean isDescending(int i) {
    return has(i, SqlKind.DESCENDING);
  }

  private boolean isNullFirst(int i) {
    return has(i, SqlKind.NULLS_FIRST) || (!isDescending(i) && !has(i, SqlKind.NULLS_LAST));
  }

  private SqlNode floating(SqlNode number) {
    SqlDataTypeSpec type =
        new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.DOUBLE, position), position);
    return call(SqlStdOperatorTable.CAST, number, type);
  }

  private SqlNode number(int value) {
    return SqlLiteral.createExactNumeric(Integer.toString(value), position);
  }

  private SqlNode call(SqlOperator operator, SqlNode... operands) {
    return operator.createCall(position, operands);
  }

  private static SqlNode copy(SqlNode node) {
    return node.accept(new CopyingShuttle());
  }
}
