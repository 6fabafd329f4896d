package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ANALYZE: gather statistics. */
public final class AnalyzeTable extends NelumboStatement {
  private final SqlIdentifier table;

  /** Made by the parser; the arguments are described at the getters. */
  public AnalyzeTable(SqlParserPos pos, SqlIdentifier table) {
    super(StatementKind.ANALYZE_TABLE, SqlKind.OTHER, pos);
    this.table = table;
  }

  /** The table; null for all. */
  public SqlIdentifier table() {
    return table;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(table);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new AnalyzeTable(pos, (SqlIdentifier) children.get(0));
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    writer.keyword("ANALYZE");
    if (table != null) {
      table.unparse(writer, 0, 0);
    }
  }
}
