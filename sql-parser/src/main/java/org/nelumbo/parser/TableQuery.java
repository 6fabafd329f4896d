package org.nelumbo.parser;

import java.util.List;
import org.apache.calcite.sql.SqlAsOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.nelumbo.parser.ast.LockingQuery;

/**
 * Recognizes queries whose rows are unchanged rows of one table, so that they can be updated
 * through the query.
 */
public final class TableQuery {
  private TableQuery() {}

  /**
   * Returns the table of a query that returns each of its rows at most once: no join, no grouping,
   * no DISTINCT, no set operation.
   *
   * @return the parts of its resolved name; null for other queries
   */
  public static List<String> tableOf(String sql) {
    SqlNode node = SqlParsing.parseStatement(sql);
    if (node instanceof LockingQuery locking) {
      node = locking.query();
    }
    if (node instanceof SqlOrderBy ordered) {
      node = ordered.query;
    }
    if (!(node instanceof SqlSelect select)
        || select.isDistinct()
        || select.getGroup() != null
        || select.getHaving() != null) {
      return null;
    }
    SqlNode from = select.getFrom();
    if (from instanceof SqlCall call
        && call.getOperator() instanceof SqlAsOperator
        && call.operandCount() == 2) {
      from = call.operand(0);
    }
    return from instanceof SqlIdentifier table ? List.copyOf(table.names) : null;
  }
}
