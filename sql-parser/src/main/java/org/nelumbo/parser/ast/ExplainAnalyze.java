package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** EXPLAIN ANALYZE: runs the statement and reports its cost. */
public final class ExplainAnalyze extends NelumboStatement {
  private final SqlNode statement;

  /** Made by the parser; the arguments are described at the getters. */
  public ExplainAnalyze(SqlParserPos pos, SqlNode statement) {
    super(StatementKind.EXPLAIN_ANALYZE, SqlKind.OTHER, pos);
    this.statement = statement;
  }

  /** The query or change to run. */
  public SqlNode statement() {
    return statement;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(statement);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new ExplainAnalyze(pos, children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("EXPLAIN ANALYZE");
    statement.unparse(writer, 0, 0);
  }
}
