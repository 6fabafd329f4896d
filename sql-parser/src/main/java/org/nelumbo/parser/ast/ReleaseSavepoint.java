package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** RELEASE SAVEPOINT. */
public final class ReleaseSavepoint extends NelumboStatement {
  private final SqlIdentifier name;

  /** Made by the parser; the arguments are described at the getters. */
  public ReleaseSavepoint(SqlParserPos pos, SqlIdentifier name) {
    super(StatementKind.RELEASE_SAVEPOINT, SqlKind.OTHER, pos);
    this.name = name;
  }

  /** Its name. */
  public SqlIdentifier name() {
    return name;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new ReleaseSavepoint(pos, (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "RELEASE SAVEPOINT", name);
  }
}
