package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** START TRANSACTION or BEGIN. */
public final class StartTransaction extends NelumboStatement {
  private final TransactionModes modes;

  public StartTransaction(SqlParserPos pos, TransactionModes modes) {
    super(StatementKind.START_TRANSACTION, SqlKind.OTHER, pos);
    this.modes = modes;
  }

  /** Returns the given modes. */
  public TransactionModes modes() {
    return modes;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children();
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new StartTransaction(pos, modes);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("START TRANSACTION");
    Writing.keywordIf(writer, !modes.sql().isEmpty(), modes.sql());
  }
}
