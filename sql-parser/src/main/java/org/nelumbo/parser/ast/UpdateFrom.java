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

  /** Made by the parser; the arguments are described at the getters. */
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

  /** The table whose rows change. */
  public SqlIdentifier table() {
    return table;
  }

  /** What the statement calls it; null if by its name. */
  public SqlIdentifier alias() {
    return alias;
  }

  /** The columns that are set. */
  public SqlNodeList columns() {
    return columns;
  }

  /** Their values, in the same order. */
  public SqlNodeList values() {
    return values;
  }

  /** The other tables. */
  public SqlNode from() {
    return from;
  }

  /** The WHERE; null if none. */
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
