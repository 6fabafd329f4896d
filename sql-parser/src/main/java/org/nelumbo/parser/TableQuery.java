package org.nelumbo.parser;

import java.util.List;
import org.apache.calcite.sql.SqlAsOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.nelumbo.parser.ast.LockingQuery;

/** Tells queries that show rows of one table as they are, so that these can be changed there. */
public final class TableQuery {
  private TableQuery() {}

  /**
   * The table of a query that shows each of its rows once at most: no join, no grouping, no
   * DISTINCT, no set operation.
   *
   * @return the parts of its name as SQL reads them; null if the text is no such query
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
