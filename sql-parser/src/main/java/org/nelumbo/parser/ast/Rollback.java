package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** ROLLBACK, or ROLLBACK TO SAVEPOINT. */
public final class Rollback extends NelumboStatement {
  private final SqlIdentifier savepoint;
  private final boolean chains;

  public Rollback(SqlParserPos pos, SqlIdentifier savepoint, boolean chains) {
    super(StatementKind.ROLLBACK, SqlKind.ROLLBACK, pos);
    this.savepoint = savepoint;
    this.chains = chains;
  }

  /** Returns true if another transaction begins immediately, with the properties of this one. */
  public boolean chains() {
    return chains;
  }

  /** Returns the savepoint to roll back to, or null for the whole transaction. */
  public SqlIdentifier savepoint() {
    return savepoint;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(savepoint);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new Rollback(pos, (SqlIdentifier) children.get(0), chains);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ROLLBACK");
    Writing.clauseIf(writer, "TO SAVEPOINT", savepoint);
    Writing.keywordIf(writer, chains, "AND CHAIN");
  }
}
