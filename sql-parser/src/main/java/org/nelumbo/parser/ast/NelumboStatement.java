package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** A complete statement that Calcite does not have. */
public abstract class NelumboStatement extends AstNode {
  private final StatementKind statementKind;

  public NelumboStatement(StatementKind statementKind, SqlKind kind, SqlParserPos pos) {
    super(statementKind.title(), kind, pos);
    this.statementKind = statementKind;
  }

  /** Returns the kind of this statement. */
  public final StatementKind statementKind() {
    return statementKind;
  }
}
