package org.nelumbo.planner.convert;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;

/**
 * Rejects a statement that would grow excessively during planning. Some constructs are planned as
 * if an operand were written several times. {@code NULLIF(a, b)} becomes {@code CASE WHEN a = b
 * THEN NULL ELSE a END}, and a query of WITH is inlined at each reference. With n nested levels,
 * the innermost operand occurs 2^n times. The size is computed in one pass over the statement.
 */
public final class ExpansionLimit {
  /** Size to which any statement may grow. */
  private static final double MOST_PARTS = 4_000;

  /** Growth factor that is allowed for larger statements. */
  private static final double MOST_TIMES = 32;

  /** Size of each node, including its operands. A node may occur at several places of the tree. */
  private final IdentityHashMap<SqlNode, Double> parts = new IdentityHashMap<>();

  private final Map<String, Double> queries = new HashMap<>();

  private ExpansionLimit() {}

  /**
   * Checks the size of a statement.
   *
   * @throws NelumboException 54001 if it would grow too much during planning
   */
  public static void check(SqlNode statement) {
    ExpansionLimit limit = new ExpansionLimit();
    double expanded = limit.count(statement, false);
    double most = Math.max(MOST_PARTS, limit.parts.size() * MOST_TIMES);
    if (expanded > most) {
      throw new NelumboException(
          ErrorCode.STATEMENT_TOO_COMPLEX,
          "the statement of "
              + limit.parts.size()
              + " parts would grow to "
              + (expanded < 1e9 ? Long.toString((long) expanded) : "more than 1000000000")
              + " when it is planned; nest NULLIF, CASE, BETWEEN and IN less deeply, and"
              + " refer to queries of WITH less often");
    }
  }

  /**
   * Returns the planned size of a node.
   *
   * @param isSource whether it is in FROM, where a name may be that of a query of WITH
   */
  private double count(SqlNode node, boolean isSource) {
    if (node == null) {
      return 0;
    }
    Double known = parts.get(node);
    if (known == null) {
      parts.put(node, 1.0); // counted while its operands are
      known = countHere(node, isSource);
      parts.put(node, known);
    }
    return known;
  }

  private double countHere(SqlNode node, boolean isSource) {
    return switch (node) {
      case SqlIdentifier name when isSource && name.isSimple() ->
          queries.getOrDefault(name.getSimple(), 1.0);
      case SqlNodeList list -> sum(list.getList(), isSource);
      case SqlWith with -> with(with);
      case SqlSelect select -> select(select);
      case SqlJoin join -> join(join);
      case SqlCall call -> call(call, isSource);
      default -> 1;
    };
  }

  private double sum(List<SqlNode> nodes, boolean isSource) {
    double sum = 1;
    for (SqlNode node : nodes) {
      sum += count(node, isSource);
    }
    return sum;
  }

  private double with(SqlWith with) {
    Map<String, Double> outer = new HashMap<>(queries);
    for (SqlNode item : with.withList) {
      SqlWithItem named = (SqlWithItem) item;
      queries.put(named.name.getSimple(), 1 + count(named.query, false));
    }
    double body = count(with.body, false);
    queries.clear();
    queries.putAll(outer);
    return 1 + body;
  }

  private double select(SqlSelect select) {
    double sum = 1 + count(select.getFrom(), true);
    for (SqlNode operand : select.getOperandList()) {
      if (operand != select.getFrom()) {
        sum += count(operand, false);
      }
    }
    return sum;
  }

  private double join(SqlJoin join) {
    boolean using = join.getConditionType() == JoinConditionType.USING;
    return 1
        + count(join.getLeft(), true)
        + count(join.getRight(), true)
        + (using ? 1 : count(join.getCondition(), false));
  }

  private double call(SqlCall call, boolean isSource) {
    List<SqlNode> operands = call.getOperandList();
    double sum = 1;
    for (int i = 0; i < operands.size(); i++) {
      sum += times(call, i) * count(operands.get(i), isSource && i == 0);
    }
    return sum;
  }

  /** Returns how often an operand occurs in the planned form of a call. */
  private static int times(SqlCall call, int operand) {
    if (call.getOperator() instanceof SqlBetweenOperator between) {
      int times = between.flag == SqlBetweenOperator.Flag.SYMMETRIC ? 2 : 1;
      return operand == 0 ? 2 * times : times;
    }
    return switch (call.getOperator().getName()) {
      case "NULLIF", "{fn IFNULL}" -> operand == 0 ? 2 : 1;
      case "IN", "NOT IN" ->
          operand == 0 && call.operand(1) instanceof SqlNodeList list
              ? Math.max(1, list.size())
              : 1;
      case "IS DISTINCT FROM",
          "IS NOT DISTINCT FROM",
          "OVERLAPS",
          "CONTAINS",
          "PRECEDES",
          "SUCCEEDS" ->
          2;
      default -> 1;
    };
  }
}
