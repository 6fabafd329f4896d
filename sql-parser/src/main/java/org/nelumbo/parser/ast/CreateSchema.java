package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** CREATE SCHEMA. */
public final class CreateSchema extends NelumboStatement {
  private final SqlIdentifier name;
  private final boolean ifNotExists;

  public CreateSchema(SqlParserPos pos, SqlIdentifier name, boolean ifNotExists) {
    super(StatementKind.CREATE_SCHEMA, SqlKind.CREATE_SCHEMA, pos);
    this.name = name;
    this.ifNotExists = ifNotExists;
  }

  public SqlIdentifier name() {
    return name;
  }

  /** Returns true if an existing schema is not an error. */
  public boolean ifNotExists() {
    return ifNotExists;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new CreateSchema(pos, (SqlIdentifier) children.get(0), ifNotExists);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("CREATE SCHEMA");
    Writing.keywordIf(writer, ifNotExists, "IF NOT EXISTS");
    name.unparse(writer, 0, 0);
  }
}
