package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** COMMIT [AND CHAIN]. */
public final class Commit extends NelumboStatement {
  private final boolean chains;

  public Commit(SqlParserPos pos, boolean chains) {
    super(StatementKind.COMMIT, SqlKind.COMMIT, pos);
    this.chains = chains;
  }

  /** Returns true if another transaction begins immediately, with the properties of this one. */
  public boolean chains() {
    return chains;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new Commit(pos, chains);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("COMMIT");
    Writing.keywordIf(writer, chains, "AND CHAIN");
  }
}
