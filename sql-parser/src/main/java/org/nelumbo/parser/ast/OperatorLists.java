package org.nelumbo.parser.ast;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.sql.parser.SqlParserUtil.ToTreeListItem;

/**
 * Creates syntax trees from lists of operands and operators. Calcite searches the whole list for
 * the operator with the highest precedence, once per operator, which takes n^2 steps.
 */
public final class OperatorLists {
  /** Length up to which Calcite's algorithm is used. */
  private static final int SHORT = 32;

  private OperatorLists() {}

  /**
   * Returns the same tree as {@link SqlParserUtil#toTree}.
   *
   * @param list operands, which are {@link SqlNode}s, and operators, which are {@link
   *     ToTreeListItem}s
   */
  public static SqlNode toTree(List<Object> list) {
    if (list.size() <= SHORT) {
      return SqlParserUtil.toTree(list);
    } else if (isBinary(list)) {
      return binary(list);
    }
    SqlNode split = split(list, SqlStdOperatorTable.OR);
    if (split == null) {
      split = split(list, SqlStdOperatorTable.AND);
    }
    return split == null ? SqlParserUtil.toTree(list) : split;
  }

  private static boolean isBinary(List<Object> list) {
    for (int i = 0; i < list.size(); i++) {
      boolean fits =
          i % 2 == 0
              ? list.get(i) instanceof SqlNode
              : list.get(i) instanceof ToTreeListItem item
                  && item.getOperator() instanceof SqlBinaryOperator;
      if (!fits) {
        return false;
      }
    }
    return list.size() % 2 == 1;
  }

  private static SqlNode binary(List<Object> list) {
    Deque<SqlNode> operands = new ArrayDeque<>();
    Deque<ToTreeListItem> operators = new ArrayDeque<>();
    for (Object each : list) {
      if (each instanceof SqlNode operand) {
        operands.push(operand);
        continue;
      }
      ToTreeListItem next = (ToTreeListItem) each;
      while (!operators.isEmpty()
          && operators.peek().getOperator().getRightPrec() > next.getOperator().getLeftPrec()) {
        reduce(operands, operators.pop());
      }
      operators.push(next);
    }
    while (!operators.isEmpty()) {
      reduce(operands, operators.pop());
    }
    return operands.pop();
  }

  private static void reduce(Deque<SqlNode> operands, ToTreeListItem operator) {
    SqlNode right = operands.pop();
    operands.push(call(operator, operands.pop(), right));
  }

  private static SqlNode call(ToTreeListItem operator, SqlNode left, SqlNode right) {
    List<SqlNode> both = List.of(left, right);
    return operator.getOperator().createCall(operator.getPos().plusAll(both), both);
  }

  /**
   * The operator must have the lowest precedence in the list. Returns null if the list does not
   * contain the operator, or contains one of lower precedence.
   */
  private static SqlNode split(List<Object> list, SqlOperator operator) {
    List<ToTreeListItem> splits = new ArrayList<>();
    List<List<Object>> parts = new ArrayList<>();
    List<Object> part = new ArrayList<>();
    int betweens = 0;
    for (Object each : list) {
      SqlOperator found = each instanceof ToTreeListItem item ? item.getOperator() : null;
      boolean closes = betweens > 0 && SqlStdOperatorTable.AND.equals(found);
      if (found != null && found.getKind() == SqlKind.BETWEEN) {
        betweens++;
      } else if (closes) {
        betweens--;
      } else if (operator.equals(found) && betweens > 0 || isLess(found, operator)) {
        return null;
      } else if (operator.equals(found)) {
        splits.add((ToTreeListItem) each);
        parts.add(part);
        part = new ArrayList<>();
        continue;
      }
      part.add(each);
    }
    if (splits.isEmpty()) {
      return null;
    }
    parts.add(part);
    SqlNode tree = toTree(parts.getFirst());
    for (int i = 0; i < splits.size(); i++) {
      tree = call(splits.get(i), tree, toTree(parts.get(i + 1)));
    }
    return tree;
  }

  private static boolean isLess(SqlOperator found, SqlOperator other) {
    return found != null
        && !found.equals(other)
        && Math.max(found.getLeftPrec(), found.getRightPrec()) < other.getLeftPrec();
  }
}
