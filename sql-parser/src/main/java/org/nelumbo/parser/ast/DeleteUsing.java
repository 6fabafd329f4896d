package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** DELETE with USING: the condition may refer to rows of other tables. */
public final class DeleteUsing extends NelumboStatement {
  private final SqlIdentifier table;
  private final SqlIdentifier alias;
  private final SqlNode using;
  private final SqlNode condition;

  public DeleteUsing(
      SqlParserPos pos,
      SqlIdentifier table,
      SqlIdentifier alias,
      SqlNode using,
      SqlNode condition) {
    super(StatementKind.DELETE, SqlKind.OTHER, pos);
    this.table = table;
    this.alias = alias;
    this.using = using;
    this.condition = condition;
  }

  /** Returns the table whose rows are deleted. */
  public SqlIdentifier table() {
    return table;
  }

  /** Returns the alias of the table, or null if it has none. */
  public SqlIdentifier alias() {
    return alias;
  }

  /** Returns the other tables. */
  public SqlNode using() {
    return using;
  }

  /** Returns the condition of WHERE, or null if there is none. */
  public SqlNode condition() {
    return condition;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(table, alias, using, condition);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new DeleteUsing(
        pos,
        (SqlIdentifier) children.get(0),
        (SqlIdentifier) children.get(1),
        children.get(2),
        children.get(3));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "DELETE FROM", table);
    Writing.clauseIf(writer, "AS", alias);
    Writing.fromClause(writer, "USING", using);
    Writing.clauseIf(writer, "WHERE", condition);
  }
}
