package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** SET TRANSACTION, or SET SESSION CHARACTERISTICS AS TRANSACTION. */
public final class SetTransaction extends NelumboStatement {
  private final TransactionModes modes;
  private final boolean forSession;

  /** Made by the parser; the arguments are described at the getters. */
  public SetTransaction(SqlParserPos pos, TransactionModes modes, boolean forSession) {
    super(StatementKind.SET_TRANSACTION, SqlKind.OTHER, pos);
    this.modes = modes;
    this.forSession = forSession;
  }

  /** The modes said; at least one. */
  public TransactionModes modes() {
    return modes;
  }

  /** Whether it is meant for all later transactions of the connection. */
  public boolean forSession() {
    return forSession;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new SetTransaction(pos, modes, forSession);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(forSession ? "SET SESSION CHARACTERISTICS AS TRANSACTION" : "SET TRANSACTION");
    writer.keyword(modes.sql());
  }
}
