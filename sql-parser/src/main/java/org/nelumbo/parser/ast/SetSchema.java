package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** SET SCHEMA: the schema of names that do not say theirs. */
public final class SetSchema extends NelumboStatement {
  private final SqlIdentifier name;

  /** Made by the parser; the arguments are described at the getters. */
  public SetSchema(SqlParserPos pos, SqlIdentifier name) {
    super(StatementKind.SET_SCHEMA, SqlKind.OTHER, pos);
    this.name = name;
  }

  /** The schema. */
  public SqlIdentifier name() {
    return name;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new SetSchema(pos, (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "SET SCHEMA", name);
  }
}
