package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The condition of UPDATE and DELETE with ORDER BY and LIMIT, as in MySQL and H2: the row is one of
 * those that a query returns. The condition becomes {@code (key) IN (SELECT key ...)} when the key
 * of the table is known.
 */
public final class ChosenRows extends SqlSpecialOperator {
  private static final ChosenRows INSTANCE = new ChosenRows();

  private ChosenRows() {
    super("CHOSEN ROWS", SqlKind.OTHER);
  }

  /** Creates the condition, with a query that has no columns yet. */
  public static SqlNode condition(
      SqlParserPos position,
      SqlIdentifier table,
      SqlIdentifier alias,
      SqlNode condition,
      SqlNodeList order,
      SqlNode count) {
    SqlNode from = table.clone(table.getParserPosition());
    SqlSelect select =
        new SqlSelect(
            position,
            null,
            new SqlNodeList(List.of(SqlIdentifier.star(position)), position),
            alias == null ? from : SqlStdOperatorTable.AS.createCall(position, from, alias),
            condition,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    return INSTANCE.createCall(position, new SqlOrderBy(position, select, order, null, count));
  }

  /** Returns true if a condition is of this kind. */
  public static boolean isChosen(SqlNode condition) {
    return condition instanceof SqlCall call && call.getOperator() instanceof ChosenRows;
  }

  /**
   * Returns the condition as standard SQL.
   *
   * @param called name or alias of the table in the statement
   * @param key columns of the table's primary key
   */
  public static SqlNode ofKey(SqlNode condition, String called, List<String> key) {
    SqlOrderBy query = ((SqlCall) condition).operand(0);
    SqlParserPos position = condition.getParserPosition();
    select(query).setSelectList(columns(called, key, position));
    SqlNodeList columns = columns(called, key, position);
    SqlNode value =
        key.size() == 1
            ? columns.get(0)
            : SqlStdOperatorTable.ROW.createCall(position, columns.getList());
    return SqlStdOperatorTable.IN.createCall(position, value, query);
  }

  /** Returns the query of the rows, without the queries of a WITH before the change. */
  private static SqlSelect select(SqlOrderBy query) {
    SqlNode select = query.query;
    while (select instanceof SqlWith with) {
      select = with.body;
    }
    return (SqlSelect) select;
  }

  private static SqlNodeList columns(String called, List<String> key, SqlParserPos position) {
    List<SqlNode> columns = new ArrayList<>();
    for (String column : key) {
      columns.add(new SqlIdentifier(List.of(called, column), position));
    }
    return new SqlNodeList(columns, position);
  }

  /** Returns the name or alias of the table in an UPDATE or DELETE. */
  public static String called(SqlNode change) {
    SqlIdentifier alias =
        change instanceof SqlUpdate update ? update.getAlias() : ((SqlDelete) change).getAlias();
    SqlNode table =
        change instanceof SqlUpdate update
            ? update.getTargetTable()
            : ((SqlDelete) change).getTargetTable();
    return alias == null ? ((SqlIdentifier) table).names.getLast() : alias.getSimple();
  }

  @Override
  public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
    SqlOrderBy query = call.operand(0);
    SqlNode condition = select(query).getWhere();
    if (condition == null) {
      writer.keyword("TRUE");
    } else {
      condition.unparse(writer, 0, 0);
    }
    if (!query.orderList.isEmpty()) {
      Writing.clauseIf(writer, "ORDER BY", query.orderList);
    }
    Writing.clauseIf(writer, "LIMIT", query.fetch);
  }
}
