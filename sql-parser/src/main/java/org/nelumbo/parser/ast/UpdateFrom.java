package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** UPDATE with FROM: the new values may come from rows of other tables. */
public final class UpdateFrom extends NelumboStatement {
  private final SqlIdentifier table;
  private final SqlIdentifier alias;
  private final SqlNodeList columns;
  private final SqlNodeList values;
  private final SqlNode from;
  private final SqlNode condition;

  public UpdateFrom(
      SqlParserPos pos,
      SqlIdentifier table,
      SqlIdentifier alias,
      SqlNodeList columns,
      SqlNodeList values,
      SqlNode from,
      SqlNode condition) {
    super(StatementKind.UPDATE, SqlKind.OTHER, pos);
    this.table = table;
    this.alias = alias;
    this.columns = columns;
    this.values = values;
    this.from = from;
    this.condition = condition;
  }

  /** Returns the table whose rows are updated. */
  public SqlIdentifier table() {
    return table;
  }

  /** Returns the alias of the table, or null if it has none. */
  public SqlIdentifier alias() {
    return alias;
  }

  /** Returns the assigned columns. */
  public SqlNodeList columns() {
    return columns;
  }

  /** Returns the values of these columns, in the same order. */
  public SqlNodeList values() {
    return values;
  }

  /** Returns the other tables. */
  public SqlNode from() {
    return from;
  }

  /** Returns the condition of WHERE, or null if there is none. */
  public SqlNode condition() {
    return condition;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(table, alias, columns, values, from, condition);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new UpdateFrom(
        pos,
        (SqlIdentifier) children.get(0),
        (SqlIdentifier) children.get(1),
        (SqlNodeList) children.get(2),
        (SqlNodeList) children.get(3),
        children.get(4),
        children.get(5));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "UPDATE", table);
    Writing.clauseIf(writer, "AS", alias);
    writer.keyword("SET");
    Writing.assignments(writer, columns, values);
    Writing.fromClause(writer, "FROM", from);
    Writing.clauseIf(writer, "WHERE", condition);
  }
}
