package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** DELETE with USING: which rows go may depend on rows of other tables. */
public final class DeleteUsing extends NelumboStatement {
  private final SqlIdentifier table;
  private final SqlIdentifier alias;
  private final SqlNode using;
  private final SqlNode condition;

  /** Made by the parser; the arguments are described at the getters. */
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

  /** The table whose rows go. */
  public SqlIdentifier table() {
    return table;
  }

  /** What the statement calls it; null if by its name. */
  public SqlIdentifier alias() {
    return alias;
  }

  /** The other tables. */
  public SqlNode using() {
    return using;
  }

  /** The WHERE; null if none. */
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
