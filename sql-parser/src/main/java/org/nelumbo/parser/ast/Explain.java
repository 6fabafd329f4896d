package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** EXPLAIN with options, or EXPLAIN ANALYZE, which runs the statement and reports its cost. */
public final class Explain extends NelumboStatement {
  private final ExplainOptions options;
  private final SqlNode statement;

  public Explain(SqlParserPos pos, ExplainOptions options, SqlNode statement) {
    super(
        options.analyze() ? StatementKind.EXPLAIN_ANALYZE : StatementKind.EXPLAIN,
        SqlKind.OTHER,
        pos);
    this.options = options;
    this.statement = statement;
  }

  public ExplainOptions options() {
    return options;
  }

  /** Returns the query or change to explain or run. */
  public SqlNode statement() {
    return statement;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(statement);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new Explain(pos, options, children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("EXPLAIN");
    writer.keyword(options.equals(ExplainOptions.ANALYZE) ? "ANALYZE" : options.toString());
    statement.unparse(writer, 0, 0);
  }
}
