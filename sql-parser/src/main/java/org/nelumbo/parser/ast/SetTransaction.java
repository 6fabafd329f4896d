package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** SET TRANSACTION, or SET SESSION CHARACTERISTICS AS TRANSACTION. */
public final class SetTransaction extends NelumboStatement {
  /** The transactions to which the modes apply. */
  public enum Scope {
    NEXT_TRANSACTION("SET TRANSACTION"),
    SESSION("SET SESSION CHARACTERISTICS AS TRANSACTION");

    private final String keywords;

    Scope(String keywords) {
      this.keywords = keywords;
    }
  }

  private final TransactionModes modes;
  private final Scope scope;

  public SetTransaction(SqlParserPos pos, TransactionModes modes, Scope scope) {
    super(StatementKind.SET_TRANSACTION, SqlKind.OTHER, pos);
    this.modes = modes;
    this.scope = scope;
  }

  /** Returns the given modes; at least one. */
  public TransactionModes modes() {
    return modes;
  }

  /**
   * Returns whether the modes apply to the next transaction, or to all later ones of the session.
   */
  public Scope scope() {
    return scope;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new SetTransaction(pos, modes, scope);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword(scope.keywords);
    writer.keyword(modes.sql());
  }
}
