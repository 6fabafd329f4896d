package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** CREATE INDEX. */
public final class CreateIndex extends NelumboStatement {
  private final SqlIdentifier name;
  private final SqlIdentifier table;
  private final SqlNodeList columns;
  private final SqlNode condition;
  private final boolean unique;
  private final boolean ifNotExists;

  public CreateIndex(
      SqlParserPos pos,
      SqlIdentifier name,
      SqlIdentifier table,
      SqlNodeList columns,
      SqlNode condition,
      boolean unique,
      boolean ifNotExists) {
    super(StatementKind.CREATE_INDEX, SqlKind.CREATE_INDEX, pos);
    this.name = name;
    this.table = table;
    this.columns = columns;
    this.condition = condition;
    this.unique = unique;
    this.ifNotExists = ifNotExists;
  }

  /** Returns the name of the index, or null if it has to be generated. */
  public SqlIdentifier name() {
    return name;
  }

  public SqlIdentifier table() {
    return table;
  }

  /** Returns the {@link IndexColumn}s in order. */
  public SqlNodeList columns() {
    return columns;
  }

  /** Returns the condition of a partial index, or null. */
  public SqlNode condition() {
    return condition;
  }

  public boolean unique() {
    return unique;
  }

  /** Returns true if an existing index is not an error. */
  public boolean ifNotExists() {
    return ifNotExists;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, table, columns, condition);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new CreateIndex(
        pos,
        (SqlIdentifier) children.get(0),
        (SqlIdentifier) children.get(1),
        (SqlNodeList) children.get(2),
        children.get(3),
        unique,
        ifNotExists);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(unique ? "CREATE UNIQUE INDEX" : "CREATE INDEX");
    Writing.keywordIf(writer, ifNotExists, "IF NOT EXISTS");
    if (name != null) {
      name.unparse(writer, 0, 0);
    }
    writer.keyword("ON");
    table.unparse(writer, 0, 0);
    Writing.parenthesized(writer, columns);
    Writing.clauseIf(writer, "WHERE", condition);
  }
}
