package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** CREATE VIEW: creates a name for a query. */
public final class CreateView extends NelumboStatement {
  private final SqlIdentifier name;
  private final boolean replace;
  private final boolean ifNotExists;
  private final SqlNodeList columns;
  private final SqlNode query;

  public CreateView(
      SqlParserPos pos,
      SqlIdentifier name,
      boolean replace,
      boolean ifNotExists,
      SqlNodeList columns,
      SqlNode query) {
    super(StatementKind.CREATE_VIEW, SqlKind.CREATE_VIEW, pos);
    this.name = name;
    this.replace = replace;
    this.ifNotExists = ifNotExists;
    this.columns = columns;
    this.query = query;
  }

  /** Returns the name of the view, with or without its schema. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns true if it replaces an existing view with this name. */
  public boolean replace() {
    return replace;
  }

  /** Returns true if an existing view is not an error. */
  public boolean ifNotExists() {
    return ifNotExists;
  }

  /** Returns the names of the columns; empty if they are those of the query. */
  public SqlNodeList columns() {
    return columns;
  }

  public SqlNode query() {
    return query;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, columns, query);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new CreateView(
        pos,
        (SqlIdentifier) children.get(0),
        replace,
        ifNotExists,
        (SqlNodeList) children.get(1),
        children.get(2));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(replace ? "CREATE OR REPLACE VIEW" : "CREATE VIEW");
    Writing.keywordIf(writer, ifNotExists, "IF NOT EXISTS");
    name.unparse(writer, 0, 0);
    Writing.parenthesizedIf(writer, columns);
    Writing.clauseIf(writer, "AS", query);
  }
}
