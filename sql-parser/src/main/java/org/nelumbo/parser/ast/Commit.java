package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** COMMIT. */
public final class Commit extends NelumboStatement {
  /** Made by the parser; the arguments are described at the getters. */
  public Commit(SqlParserPos pos) {
    super(StatementKind.COMMIT, SqlKind.COMMIT, pos);
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new Commit(pos);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("COMMIT");
  }
}
